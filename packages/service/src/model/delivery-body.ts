/** Builds the body of a delivery. Exactly these bytes are signed and sent. */
export function bodyOf({
  elements,
}: {
  readonly elements: readonly { readonly payload: string }[];
}): Buffer {
  return Buffer.from(`[${elements.map(({ payload }) => payload).join(",")}]`);
}
