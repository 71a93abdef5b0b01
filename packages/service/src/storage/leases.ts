import type { Instant } from "./instant.js";
import { RecentBodies } from "./recent-bodies.js";

/**
 * Which deliveries are being sent, in memory: only this process has the data directory, so that no
 * lease outlives it.
 */
export class Leases {
  /** Ends of the leases by application and `seq` of the delivery. */
  readonly #ends = new Map<string, Map<number, Instant>>();
  readonly bodies: RecentBodies = new RecentBodies();
  #revision = 0;

  /** Another number after each {@link outdate}. */
  get revision(): number {
    return this.#revision;
  }

  /** Mark what the holders have read of their deliveries as outdated. */
  outdate(): void {
    this.#revision++;
    // Some belong to deliveries that are never going to be claimed.
    this.bodies.clear();
  }

  /** Hold a delivery, by its `seq`. */
  hold(applicationId: string, seq: number, until: Instant): void {
    const ends = this.#ends.get(applicationId);
    if (ends) ends.set(seq, until);
    else this.#ends.set(applicationId, new Map([[seq, until]]));
  }

  release(applicationId: string, seq: number): void {
    const ends = this.#ends.get(applicationId);
    ends?.delete(seq);
    if (ends?.size === 0) this.#ends.delete(applicationId);
  }

  /** Deliveries of an application that are held at the moment. */
  held(applicationId: string, now: Instant): number[] {
    const held: number[] = [];
    for (const [seq, end] of this.#ends.get(applicationId) ?? []) if (end > now) held.push(seq);
    return held;
  }

  /** Deliveries of all applications that are held at the moment. */
  allHeld(now: Instant): number[] {
    return [...this.#ends.keys()].flatMap((applicationId) => this.held(applicationId, now));
  }
}
