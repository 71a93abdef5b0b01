/** Returns a copy of twice the length, padded with zeros. */
export function doubleLength<T extends Int32Array | Uint32Array | Float64Array>(array: T): T {
  const copy = new (array.constructor as new (length: number) => T)(array.length * 2);
  copy.set(array);
  return copy;
}
