const EMPTY: Buffer = Buffer.alloc(0);

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
  #first: Buffer = EMPTY;
  #list: Buffer[] | undefined;

  add(chunk: Buffer): void {
    if (this.#list) this.#list.push(chunk);
    else if (this.size > 0) this.#list = [this.#first, chunk];
    else this.#first = chunk;
    this.size += chunk.length;
  }

  /** Everything, in one piece; a single chunk is not copied. */
  take(): Buffer {
    const whole = this.#list ? Buffer.concat(this.#list, this.size) : this.#first;
    this.#list = undefined;
    this.#first = EMPTY;
    return whole;
  }
}
