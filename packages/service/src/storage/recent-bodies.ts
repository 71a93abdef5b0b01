/** Most bytes that are kept: those of 80 deliveries of 1,000 events. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Bodies of deliveries just made, in memory: most are sent at once, and to read one back takes as
 * long as to send it. When it is full, the oldest stay, since they are sent first.
 */
export class RecentBodies {
  readonly #bodies = new Map<number, Uint8Array>();
  #bytes = 0;

  /** Keeps the body of a delivery, by its `seq`. */
  add(seq: number, body: Uint8Array): void {
    if (this.#bytes + body.length > MAX_BYTES) return;
    this.#bodies.set(seq, body);
    this.#bytes += body.length;
  }

  /** Hands a body over; it is not kept any longer. */
  take(seq: number): Uint8Array | undefined {
    const body = this.#bodies.get(seq);
    if (!body) return undefined;
    this.#bodies.delete(seq);
    this.#bytes -= body.length;
    return body;
  }

  clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
  }
}
