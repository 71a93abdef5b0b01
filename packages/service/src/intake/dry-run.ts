import { setImmediate as nextTurn } from "node:timers/promises";
import { createEngine, type EngineOptions, type MemoryLedgerOptions } from "@riskgate/engine";
import type { Playbook } from "../model/playbook.js";
import type { Application } from "../model/application.js";
import type { RecordedEvent } from "../model/event.js";
import { type Clock, epochMsOf, type Instant } from "../model/instant.js";
import type { LedgerEntry } from "../model/subject.js";
import type { StoredResponse } from "../model/playbook.js";
import type { JsonObject } from "../model/json-object.js";
import type { Storage } from "../storage/storage.js";
import { createIntake } from "./intake.js";
import { createLedgerMemory } from "./ledger-memory.js";
import { createQueue } from "./queue.js";
import type { RuleSettings } from "../detection/detection-settings.js";

/** What a playbook would have done. */
interface DryRunResult {
  readonly since: Instant;
  /** Events that were taken in again. */
  readonly events: number;
  /** Whether there were more: only the newest were taken. */
  readonly isPartial: boolean;
  /** How many responses there would have been. */
  readonly responseCount: number;
  /** The latest of them, newest first. */
  readonly responses: readonly Pick<StoredResponse, "createdAt" | "endsAt" | "payload">[];
}

/** Tries a playbook on the events of the last days; nothing of it is stored or sent. */
export type DryRun = (
  application: Application,
  playbook: Playbook,
  days: number,
) => Promise<DryRunResult>;

/** What a dry run is made with: the settings of the service. */
export interface DryRunParts {
  /** Opens an empty storage in memory. */
  readonly openMemoryStorage: (clock: Clock, nowMs: () => number) => Promise<Storage>;
  readonly storage: Storage;
  readonly rules: RuleSettings;
  readonly ledger: Omit<MemoryLedgerOptions, "now">;
  readonly engine: Pick<EngineOptions, "allow" | "weights">;
  readonly clock: Clock;
}

/** Most events of one run: some seconds of work. */
const MAX_EVENTS = 20_000;

/** Most events of one report, as the intake takes them. */
const MAX_REPORT = 1_000;

/** Events read at a time. */
const PAGE = 1_000;

const MAX_RESPONSES = 100;
const DAY = 86_400_000_000;

/** Delivers nowhere, and so that responses are wanted. */
const NOWHERE = "https://dry-run.invalid/";

/**
 * Creates the dry run. The events are reported again, at the times at which they were, to an intake
 * over a storage in memory whose application has this one playbook.
 */
export function createDryRun(parts: DryRunParts): DryRun {
  const { storage, clock } = parts;
  // One at a time: each holds its events in memory.
  const queue = createQueue();

  return (application, playbook, days) =>
    queue.run(async () => {
      const since = clock() - days * DAY;
      const { events, isPartial } = await readEvents(storage, application.id, since);
      const time = { now: since };
      const trial = await parts.openMemoryStorage(
        () => time.now,
        () => epochMsOf(time.now),
      );
      const ledger = createLedgerMemory({ ...parts.ledger, now: () => epochMsOf(time.now) });
      const engine = await createEngine({ ...parts.engine, ledger });
      try {
        const copy = await trial.applications.create({
          name: application.name,
          environment: application.environment,
          webhookUrl: NOWHERE,
          payloadTypes: ["security_response"],
        });
        const { name, rule, response } = playbook;
        if ("accountScoreAbove" in rule) await fillLedger(storage, trial, copy.id, events);
        await trial.playbooks.create(copy.id, {
          name,
          rule: { ...rule },
          response: { ...response },
        });
        const errors: unknown[] = [];
        const intake = createIntake({
          storage: trial,
          ledger,
          peek: engine,
          dashboardUrl: () => NOWHERE,
          rules: parts.rules,
          clock: () => time.now,
          nowMs: () => epochMsOf(time.now),
          sweepEveryMs: 0,
          onError: (error) => errors.push(error),
        });
        for (const report of reportsOf(events)) {
          time.now = report.at;
          await intake.sweep();
          await intake.report(copy.id, report.payloads);
          // Lookups are answered in between.
          await nextTurn();
        }
        await intake.close();
        if (errors.length > 0) throw errors[0];
        const sent = await trial.playbooks.responses(copy.id, MAX_EVENTS);
        return {
          since,
          events: events.length,
          isPartial,
          responseCount: sent.length,
          responses: sent.slice(0, MAX_RESPONSES),
        };
      } finally {
        await engine.close();
        await trial.close();
      }
    });
}

/** The newest events since then, oldest first. */
async function readEvents(
  storage: Storage,
  applicationId: string,
  since: Instant,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly isPartial: boolean }> {
  const found: RecordedEvent[] = [];
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ;) {
    const page = await storage.events.list({ applicationId, since, limit: PAGE, beforeSeq });
    found.push(...page);
    const last = page.at(-1);
    if (page.length < PAGE || !last) break;
    if (found.length >= MAX_EVENTS) return { events: found.toReversed(), isPartial: true };
    beforeSeq = last.seq;
    await nextTurn();
  }
  return { events: found.toReversed(), isPartial: false };
}

/** Lets what occurred before the events count for the scores of accounts. */
async function fillLedger(
  storage: Storage,
  trial: Storage,
  copyId: string,
  events: readonly RecordedEvent[],
): Promise<void> {
  const replayed = new Set(events.map(({ applicationId, id }) => `${applicationId}/${id}`));
  const first = events[0]?.occurredAt ?? Infinity;
  let entries: LedgerEntry[] = [];
  for await (const entry of storage.ledger.load(0)) {
    const { applicationId, eventId, type, occurredAt } = entry;
    if (type !== "account" || occurredAt > first) continue;
    if (replayed.has(`${applicationId}/${eventId}`)) continue;
    entries.push({ ...entry, applicationId: copyId });
    if (entries.length < PAGE) continue;
    await trial.ledger.record(entries);
    entries = [];
  }
  await trial.ledger.record(entries);
}

interface Report {
  readonly at: Instant;
  readonly payloads: JsonObject[];
}

/** Events that were received together are reported together; those that were erased are left out. */
function reportsOf(events: readonly RecordedEvent[]): readonly Report[] {
  const reports: Report[] = [];
  for (const { receivedAt, payload } of events) {
    if (payload["event_kind"] === undefined) continue;
    const last = reports.at(-1);
    if (last?.at === receivedAt && last.payloads.length < MAX_REPORT) last.payloads.push(payload);
    else reports.push({ at: receivedAt, payloads: [payload] });
  }
  return reports;
}
