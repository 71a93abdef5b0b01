import { RecentBodies } from "./recent-bodies.js";

/**
 * Tracks in memory which deliveries are being sent. Only this process sends for their applications, so
 * no lease needs to outlive it. Leases expire by the monotonic clock, because setting the system clock
 * could expire a lease that is still in use.
 */
export class Leases {
  /** Expiry times of the leases, by application and `seq` of the delivery. */
  readonly #endsMs = new Map<string, Map<number, number>>();
  readonly #nowMs: () => number;
  readonly bodies: RecentBodies = new RecentBodies();
  #revision = 0;

  /** @param nowMs Monotonic clock in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A number that changes with each {@link outdate}. */
  get revision(): number {
    return this.#revision;
  }

  /** Marks the data that lease holders have read about their deliveries as outdated. */
  outdate(): void {
    this.#revision++;
    // Some bodies belong to deliveries that will never be claimed.
    this.bodies.clear();
  }

  hold(applicationId: string, seq: number, forMs: number): void {
    const ends = this.#endsMs.get(applicationId) ?? new Map<number, number>();
    this.#endsMs.set(applicationId, ends.set(seq, this.#nowMs() + forMs));
  }

  release(applicationId: string, seq: number): void {
    const ends = this.#endsMs.get(applicationId);
    ends?.delete(seq);
    if (ends?.size === 0) this.#endsMs.delete(applicationId);
  }

  held(applicationId: string): number[] {
    const nowMs = this.#nowMs();
    const held: number[] = [];
    for (const [seq, endMs] of this.#endsMs.get(applicationId) ?? []) {
      if (endMs > nowMs) held.push(seq);
    }
    return held;
  }

  allHeld(): number[] {
    return [...this.#endsMs.keys()].flatMap((applicationId) => this.held(applicationId));
  }
}
