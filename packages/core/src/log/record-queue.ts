/** Lines that are written together. */
export type Batch = readonly string[];

/** How much waits, and how much is written together. */
export interface RecordLimits {
  readonly batchSize: number;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
}

/** One write to a file, and one body of a request, that nothing on the way divides. */
const MAX_BATCH_BYTES = 256 * 1024;

/** Records that wait, as JSON text. A batch that was not written stays the next one, unchanged. */
export class RecordQueue {
  readonly #limits: RecordLimits;
  #waiting: string[] = [];
  #next: Batch = [];
  #bytes = 0;

  constructor(limits: RecordLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#next.length + this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a batch is full. */
  get isDue(): boolean {
    return this.size >= this.#limits.batchSize;
  }

  /** Add a record; false where there is no room. */
  add(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    const { maxQueued, maxQueuedBytes } = this.#limits;
    if (this.size >= maxQueued || this.#bytes + bytes > maxQueuedBytes) return false;
    this.#waiting.push(text);
    this.#bytes += bytes;
    return true;
  }

  /** The oldest records; they stay until they are removed. */
  next(): Batch | undefined {
    if (this.#next.length === 0) this.#next = this.#waiting.splice(0, this.#count());
    return this.#next.length === 0 ? undefined : this.#next;
  }

  /** Remove the batch that {@link next} gives. */
  remove(): void {
    for (const text of this.#next) this.#bytes -= Buffer.byteLength(text);
    this.#next = [];
  }

  #count(): number {
    let bytes = 0;
    let count = 0;
    while (count < Math.min(this.#waiting.length, this.#limits.batchSize)) {
      bytes += Buffer.byteLength(this.#waiting[count]!);
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      count++;
    }
    return count;
  }
}
