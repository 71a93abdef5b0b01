const EMPTY = new Uint8Array(0);

/**
 * Bytes that arrive piece by piece.
 *
 * A list is made only for a body in several pieces, and is dropped when the body is taken. With a
 * list for each of many bodies that wait at the same time, V8 learns that such lists live long and
 * allocates them among its old objects, where each keeps its body until the next full collection.
 */
export class Chunks {
  /** Bytes so far. */
  size = 0;
  #first: Uint8Array = EMPTY;
  #list: Uint8Array[] | undefined;

  add(chunk: Uint8Array): void {
    if (this.#list) this.#list.push(chunk);
    else if (this.size > 0) this.#list = [this.#first, chunk];
    else this.#first = chunk;
    this.size += chunk.length;
  }

  /** Everything, in one piece; a single chunk is not copied. */
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
