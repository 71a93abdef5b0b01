/** Most bytes that are kept: those of 40 deliveries of 1,000 events. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Bodies of deliveries just made, in memory: most are sent at once, and to read one back takes as
 * long as to send it. When it is full, the oldest stay, since they are sent first.
 */
export class RecentBodies {
  readonly #bodies = new Map<string, Uint8Array>();
  #bytes = 0;

  add(id: string, body: Uint8Array): void {
    if (this.#bytes + body.length > MAX_BYTES) return;
    this.#bodies.set(id, body);
    this.#bytes += body.length;
  }

  /** Hand a body over; it is not kept any longer. */
  take(id: string): Uint8Array | undefined {
    const body = this.#bodies.get(id);
    if (!body) return undefined;
    this.#bodies.delete(id);
    this.#bytes -= body.length;
    return body;
  }

  clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
  }
}
