import { ApplicationLocks } from "./application-locks.js";
import { RecentBodies } from "./recent-bodies.js";

/**
 * Which deliveries are being sent, in memory: only this process sends for their applications, so that
 * no lease outlives it. They end by a monotonic clock: one that is set would end them while they are
 * held.
 */
export class Leases {
  /** Ends of the leases by application and `seq` of the delivery. */
  readonly #endsMs = new Map<string, Map<number, number>>();
  readonly #nowMs: () => number;
  readonly bodies: RecentBodies = new RecentBodies();
  readonly applicationLocks: ApplicationLocks = new ApplicationLocks();
  #revision = 0;

  /** @param nowMs Monotonic clock in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Another number after each {@link outdate}. */
  get revision(): number {
    return this.#revision;
  }

  /** Marks what the holders have read of their deliveries as outdated. */
  outdate(): void {
    this.#revision++;
    // Some belong to deliveries that are never going to be claimed.
    this.bodies.clear();
  }

  /** Leases a delivery, by its `seq`, for a time in milliseconds. */
  hold(applicationId: string, seq: number, forMs: number): void {
    const ends = this.#endsMs.get(applicationId) ?? new Map<number, number>();
    this.#endsMs.set(applicationId, ends.set(seq, this.#nowMs() + forMs));
  }

  release(applicationId: string, seq: number): void {
    const ends = this.#endsMs.get(applicationId);
    ends?.delete(seq);
    if (ends?.size === 0) this.#endsMs.delete(applicationId);
  }

  /** Deliveries of an application that are held at the moment. */
  held(applicationId: string): number[] {
    const nowMs = this.#nowMs();
    const held: number[] = [];
    for (const [seq, endMs] of this.#endsMs.get(applicationId) ?? []) {
      if (endMs > nowMs) held.push(seq);
    }
    return held;
  }

  /** Deliveries of all applications that are held at the moment. */
  allHeld(): number[] {
    return [...this.#endsMs.keys()].flatMap((applicationId) => this.held(applicationId));
  }
}
