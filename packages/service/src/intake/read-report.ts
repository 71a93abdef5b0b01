import { createHash } from "node:crypto";
import { composeEvent, type EventContext, namedBy } from "../detection/events/event.js";
import { readEvent } from "../detection/events/read-event.js";
import {
  type ReadElement,
  readElements,
  type Report,
  type ReportedElement,
  reportOf,
} from "../detection/events/report.js";
import { readSample } from "../detection/incidents/counter.js";
import { type LoginOutcome, readOutcome } from "../detection/logins/outcome.js";
import type { IntakeEvent } from "../model/event.js";
import { isKnownKind } from "../model/event-kind.js";
import type { Instant } from "../model/instant.js";
import type { NewLogEntry } from "../model/log-entry.js";
import { packEvent } from "../model/packed-event.js";

/** A report that has been read but not stored. */
export interface ReadReport {
  /** Entries for the log, of the elements that can be used. */
  readonly entries: readonly NewLogEntry[];
  /** The event of each entry, if they are events. */
  readonly events?: readonly IntakeEvent[];
  /**
   * Returns the response.
   *
   * @param seqs `seq` of each stored entry; undefined for one that was already reported.
   */
  respond(seqs: readonly (number | undefined)[]): Report;
}

/** @throws {RiskGateError} INVALID_ARGUMENT */
export function readEvents(values: unknown, now: Instant, context: EventContext): ReadReport {
  const elements = readElements(values, (value) => readEvent(value, now), namedBy);
  const composed = elements.map((one) =>
    "value" in one ? { event: composeEvent(one.value, context) } : one,
  );
  const events = composed.flatMap((one) => ("event" in one ? [one.event] : []));
  return {
    entries: events.map((event) => entryOfEvent(event, null)),
    events,
    respond(seqs) {
      const stored = seqs.values();
      const fresh: { id: string; kind: string }[] = [];
      const reported = composed.map((one): ReportedElement => {
        if (!("event" in one)) return { state: "refused", reason: one.reason };
        const { id, kind } = one.event;
        if (stored.next().value === undefined) return { state: "duplicate", id };
        fresh.push({ id, kind });
        return { state: "accepted", id, ...(!isKnownKind(kind) && { isUnknownKind: true }) };
      });
      return reportOf(reported, fresh);
    },
  };
}

/** @throws {RiskGateError} INVALID_ARGUMENT */
export function readOutcomes(values: unknown, now: Instant): ReadReport {
  const elements = readElements(values, (value) => readOutcome(value, now));
  return {
    entries: entriesOf("login", elements, (outcome) => ({
      eventId: outcome.isDated ? loginId(outcome) : null,
      occurredAt: outcome.at,
    })),
    respond: (seqs) => respondTo(elements, seqs),
  };
}

/** @throws {RiskGateError} INVALID_ARGUMENT */
export function readSamples(values: unknown, now: Instant): ReadReport {
  const elements = Array.isArray(values)
    ? readElements(values, (value) => readSample(value, now))
    : [{ value: readSample(values, now) }];
  return {
    entries: entriesOf("counters", elements, ({ at }) => ({ eventId: null, occurredAt: at })),
    respond: (seqs) => respondTo(elements, seqs),
  };
}

/** @param cause `seq` of the entry from which the event was derived; null for a reported one. */
export function entryOfEvent(event: IntakeEvent, cause: number | null): NewLogEntry {
  const { id, kind, category, occurredAt, highRisk } = event;
  return {
    type: "security_event",
    eventId: id,
    kind,
    category,
    occurredAt,
    highRisk,
    cause,
    payload: packEvent(event),
  };
}

function entriesOf<T>(
  type: "login" | "counters",
  elements: readonly ReadElement<T>[],
  factsOf: (value: T) => Pick<NewLogEntry, "eventId" | "occurredAt">,
): readonly NewLogEntry[] {
  const rest = { type, kind: "", category: "", highRisk: false, cause: null } as const;
  return elements.flatMap((one) =>
    "value" in one ? [{ ...rest, ...factsOf(one.value), payload: JSON.stringify(one.value) }] : [],
  );
}

function respondTo(
  elements: readonly ReadElement<unknown>[],
  seqs: readonly (number | undefined)[],
): Report {
  const stored = seqs.values();
  const reported = elements.map((one): ReportedElement => {
    if (!("value" in one)) return { state: "refused", reason: one.reason };
    return { state: stored.next().value === undefined ? "duplicate" : "accepted" };
  });
  return reportOf(reported, []);
}

/**
 * Returns the id of a dated outcome: the same outcome with the same time is a repetition. As a digest,
 * because it remains when the outcome is deleted.
 */
function loginId({ account, address, at, success }: LoginOutcome): string {
  const text = JSON.stringify([account, address, at, success]);
  return `login/${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}
