/** Where reports go: the last part of the path of each. */
export type Channel = "events" | "logins";

/** Reports of one kind that are sent together. */
export interface Batch {
  readonly channel: Channel;
  readonly texts: readonly string[];
  readonly bytes: number;
}

/** How much is kept, and how much is sent together. */
export interface QueueLimits {
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
  readonly batchSize: number;
}

/** A body much smaller than what services and proxies take. */
const MAX_BATCH_BYTES = 256 * 1024;

/** Reports that wait, as JSON text; what is on its way still counts until it is settled. */
export class ReportQueue {
  readonly #limits: QueueLimits;
  readonly #waiting: Record<Channel, string[]> = { events: [], logins: [] };
  #next: Channel = "events";
  #size = 0;
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a batch is full. */
  get isDue(): boolean {
    const { events, logins } = this.#waiting;
    return Math.max(events.length, logins.length) >= this.#limits.batchSize;
  }

  /** Add a report; false where there is no room. */
  add(channel: Channel, text: string): boolean {
    const bytes = Buffer.byteLength(text);
    const { maxQueued, maxQueuedBytes } = this.#limits;
    if (this.#size >= maxQueued || this.#bytes + bytes > maxQueuedBytes) return false;
    this.#waiting[channel].push(text);
    this.#size++;
    this.#bytes += bytes;
    return true;
  }

  /** Take the oldest of the events, or of the logins, in turn. */
  take(): Batch | undefined {
    const other = this.#next === "events" ? "logins" : "events";
    const channel = this.#waiting[this.#next].length > 0 ? this.#next : other;
    this.#next = channel === "events" ? "logins" : "events";
    const waiting = this.#waiting[channel];
    let bytes = 0;
    let count = 0;
    while (count < Math.min(waiting.length, this.#limits.batchSize)) {
      const more = Buffer.byteLength(waiting[count]!);
      if (count > 0 && bytes + more > MAX_BATCH_BYTES) break;
      bytes += more;
      count++;
    }
    return count === 0 ? undefined : { channel, texts: waiting.splice(0, count), bytes };
  }

  /** Make the room of a batch free. */
  settle({ texts, bytes }: Batch): void {
    this.#size -= texts.length;
    this.#bytes -= bytes;
  }
}
