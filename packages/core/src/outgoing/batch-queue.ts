import { utf8Length } from "../base/platform.js";

/** Texts that are sent or written together. */
export interface Batch<Lane extends string = string> {
  readonly lane: Lane;
  readonly texts: readonly string[];
  readonly bytes: number;
}

/** How much waits, and how much is sent together. */
export interface QueueLimits {
  readonly batchSize: number;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
}

/** Much less than services, proxies and one write to a file accept. */
const MAX_BATCH_BYTES = 256 * 1024;

/** Texts that wait, in lanes that take turns. A batch counts until it is removed, and stays the next one. */
export class BatchQueue<Lane extends string> {
  readonly #limits: QueueLimits;
  /** The lane to serve next comes first. */
  readonly #lanes: { readonly name: Lane; readonly waiting: string[] }[];
  #next: Batch<Lane> | undefined;
  #size = 0;
  #bytes = 0;

  constructor(limits: QueueLimits, lanes: readonly Lane[]) {
    this.#limits = limits;
    this.#lanes = lanes.map((name) => ({ name, waiting: [] }));
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** True if a batch is full. */
  get isDue(): boolean {
    return this.#lanes.some(({ waiting }) => waiting.length >= this.#limits.batchSize);
  }

  /** Adds a text; returns false if the queue is full. */
  add(lane: Lane, text: string): boolean {
    const bytes = utf8Length(text);
    const { maxQueued, maxQueuedBytes } = this.#limits;
    if (this.#size >= maxQueued || this.#bytes + bytes > maxQueuedBytes) return false;
    this.#lanes.find(({ name }) => name === lane)?.waiting.push(text);
    this.#size++;
    this.#bytes += bytes;
    return true;
  }

  /** Returns the oldest texts of a lane, and the same batch again until it is removed. */
  next(): Batch<Lane> | undefined {
    const lane = this.#next ? undefined : this.#lanes.find(({ waiting }) => waiting.length > 0);
    if (!lane) return this.#next;
    this.#lanes.push(...this.#lanes.splice(this.#lanes.indexOf(lane), 1));
    const { name, waiting } = lane;
    let bytes = 0;
    let count = 0;
    while (count < Math.min(waiting.length, this.#limits.batchSize)) {
      const more = utf8Length(waiting[count]!);
      if (count > 0 && bytes + more > MAX_BATCH_BYTES) break;
      bytes += more;
      count++;
    }
    return (this.#next = { lane: name, texts: waiting.splice(0, count), bytes });
  }

  /** Removes the batch that {@link next} returned. */
  remove(): void {
    if (!this.#next) return;
    this.#size -= this.#next.texts.length;
    this.#bytes -= this.#next.bytes;
    this.#next = undefined;
  }
}
