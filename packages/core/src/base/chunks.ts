const EMPTY = new Uint8Array(0);

/**
 * Collects bytes that arrive in chunks. The list is created only for a body with several chunks,
 * and dropped by `take`. If many pending bodies each had a list, V8 would pretenure these lists in
 * old space, where each retains its body until the next full garbage collection.
 */
export class Chunks {
  size = 0;
  #first: Uint8Array = EMPTY;
  #list: Uint8Array[] | undefined;

  add(chunk: Uint8Array): void {
    if (this.#list) this.#list.push(chunk);
    else if (this.size > 0) this.#list = [this.#first, chunk];
    else this.#first = chunk;
    this.size += chunk.length;
  }

  /** Returns all bytes; a single chunk is not copied. */
  take(): Uint8Array {
    const whole = this.#list ? joined(this.#list, this.size) : this.#first;
    this.#list = undefined;
    this.#first = EMPTY;
    return whole;
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
