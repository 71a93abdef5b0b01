import type { LoginsAhead } from "../model/velocity.js";
import {
  IN_FLIGHT,
  isOwnSubject,
  readingOf,
  type VelocityReading,
  type VelocitySignal,
} from "../model/velocity-reading.js";
import { countedFailures } from "./login-tallies.js";
import type { CountedEvent } from "./velocity-counters.js";
import { type LimitedSubject, pointsOf } from "./velocity-limits.js";

/**
 * Logins at once from an address or network that are usual: a crowd's browsers rarely log in within
 * the same second.
 */
const USUAL_AT_ONCE = 20;

export interface Limited extends LimitedSubject {
  readonly prefix: string;
}

export interface Asked extends Limited {
  readonly text: string;
}

export function askedOf(
  limited: readonly Limited[],
  texts: CountedEvent["texts"],
): readonly Asked[] {
  const asked: Asked[] = [];
  for (const one of limited) {
    for (const text of texts[one.name] ?? []) asked.push({ ...one, text });
  }
  return asked;
}

export function isOfMailbox({ name }: Limited): boolean {
  return name === "mailbox" || name === "mailbox_day";
}

/**
 * Returns the signals for counts of subjects in order, followed by successes for each subject
 * except the mailbox. Logins that began earlier and have not ended count as failures, because they
 * could all be guesses. Most may be right, so they only add shared points.
 */
export function signalsOf(
  asked: readonly Asked[],
  counts: readonly number[],
  ahead?: LoginsAhead,
): readonly VelocitySignal[] {
  const signals: VelocitySignal[] = [];
  const offset = counts.length - asked.length;
  for (let at = 0; at < asked.length; at++) {
    const { name, limit, prefix, text } = asked[at]!;
    const found = counts[at]!;
    const ofMailbox = isOfMailbox(asked[at]!);
    const isShare = offset > 0 && !ofMailbox;
    const ended = isShare ? countedFailures(found, counts[at + offset]!) : found;
    const others = ahead?.get(prefix + text) ?? 0;
    const inFlight = ofMailbox ? others : Math.max(0, others - USUAL_AT_ONCE);
    const add = (as: VelocitySignal["name"], count: number): void => {
      const weight = pointsOf(count, limit);
      if (weight > 0) signals.push({ name: as, count, weight });
    };
    const isOwn = isOwnSubject(name);
    add(name, Math.floor(isOwn ? ended : ended + inFlight));
    if (isOwn && inFlight > 0) add(IN_FLIGHT, Math.floor(ended + inFlight));
  }
  return signals;
}

/** Returns the reading with the strongest signal of each subject; undefined without any. */
export function readingIn(signals: readonly VelocitySignal[]): VelocityReading | undefined {
  if (signals.length === 0) return undefined;
  const sorted = signals.toSorted((one, other) => other.weight - one.weight);
  const names = sorted.map(({ name }) => name);
  return readingOf(sorted.filter(({ name }, at) => names.indexOf(name) === at));
}
