import { utf8Length } from "../base/platform.js";

export interface Batch<Kind extends string = string> {
  readonly kind: Kind;
  readonly texts: readonly string[];
  readonly bytes: number;
}

export interface QueueLimits {
  readonly batchSize: number;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
}

/** Well below the limits of services, proxies and a single file write. */
const MAX_BATCH_BYTES = 256 * 1024;

/** A queue of texts. Batches alternate between kinds. A batch counts until it is removed. */
export class BatchQueue<Kind extends string> {
  readonly #limits: QueueLimits;
  readonly #kinds: { readonly name: Kind; readonly waiting: string[] }[];
  #next: Batch<Kind> | undefined;
  #size = 0;
  #bytes = 0;

  constructor(limits: QueueLimits, kinds: readonly Kind[]) {
    this.#limits = limits;
    this.#kinds = kinds.map((name) => ({ name, waiting: [] }));
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isDue(): boolean {
    return this.#kinds.some(({ waiting }) => waiting.length >= this.#limits.batchSize);
  }

  /** Returns false if the queue is full. */
  add(kind: Kind, text: string): boolean {
    const bytes = utf8Length(text);
    const { maxQueued, maxQueuedBytes } = this.#limits;
    if (this.#size >= maxQueued || this.#bytes + bytes > maxQueuedBytes) return false;
    this.#kinds.find(({ name }) => name === kind)?.waiting.push(text);
    this.#size++;
    this.#bytes += bytes;
    return true;
  }

  /** Returns the oldest texts of one kind, and the same batch again until it is removed. */
  next(): Batch<Kind> | undefined {
    const kind = this.#next ? undefined : this.#kinds.find(({ waiting }) => waiting.length > 0);
    if (!kind) return this.#next;
    this.#kinds.push(...this.#kinds.splice(this.#kinds.indexOf(kind), 1));
    const { name, waiting } = kind;
    let bytes = 0;
    let count = 0;
    while (count < Math.min(waiting.length, this.#limits.batchSize)) {
      const more = utf8Length(waiting[count]!);
      if (count > 0 && bytes + more > MAX_BATCH_BYTES) break;
      bytes += more;
      count++;
    }
    return (this.#next = { kind: name, texts: waiting.splice(0, count), bytes });
  }

  remove(): void {
    if (!this.#next) return;
    this.#size -= this.#next.texts.length;
    this.#bytes -= this.#next.bytes;
    this.#next = undefined;
  }
}
