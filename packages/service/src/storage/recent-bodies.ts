/** Maximum total size in bytes, enough for 80 deliveries of 1,000 events. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Caches the bodies of new deliveries in memory: most are sent immediately, and reading a body back
 * takes as long as sending it. A full cache retains the oldest bodies, because they are sent first.
 */
export class RecentBodies {
  readonly #bodies = new Map<number, Uint8Array>();
  #bytes = 0;

  add(seq: number, body: Uint8Array): void {
    if (this.#bytes + body.length > MAX_BYTES) return;
    this.#bodies.set(seq, body);
    this.#bytes += body.length;
  }

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
