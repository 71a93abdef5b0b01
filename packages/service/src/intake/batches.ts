import { isRiskGateError } from "@riskgate/core";
import type { DetectionContext } from "../detection/detect.js";
import type { DetectionSettings } from "../detection/detection-settings.js";
import type { EventContext } from "../detection/events/event.js";
import {
  type IncidentChange,
  publishIncident,
  sweepIncident,
} from "../detection/incidents/track-incidents.js";
import { loadEnabled } from "../detection/playbooks/playbook.js";
import { derivedEntry } from "../model/derived-entry.js";
import type { Clock } from "../model/instant.js";
import type { Scratch } from "../model/scratch.js";
import type { LogEntry } from "../model/log-entry.js";
import type { LedgerRecord, Subject } from "../model/subject.js";
import type { Storage } from "../storage/storage.js";
import {
  applyChanges,
  type ApplicationState,
  saveState,
  type StateBounds,
} from "./application-state.js";
import { evaluate, type EvaluateContext, type Evaluation, NOTHING } from "./evaluate.js";
import type { RecentEvents } from "./recent-events.js";
import { ledgerRecordsOf } from "./risk-record.js";
import type { StepSizes } from "./step-sizes.js";

/** Evaluates entries of an application's log, and stores the results. */
export interface Batches {
  /** Evaluates the next entries. */
  next(applicationId: string, state: ApplicationState): Promise<BatchResult>;
  /**
   * Ends some of the quiet incidents, and publishes some of those with unpublished changes; call it again
   * until it returns `nothing`.
   */
  sweep(applicationId: string, state: ApplicationState): Promise<BatchResult>;
}

/**
 * `outdated`: another process owns the application now, or the stored state was changed; nothing was
 * stored, and the state must be loaded again.
 */
export type BatchResult = "done" | "nothing" | "outdated";

export interface BatchParts {
  readonly storage: Storage;
  readonly settings: DetectionSettings;
  readonly bounds: StateBounds;
  readonly dashboardUrl: () => string;
  readonly locate: EventContext["locate"];
  readonly isAllowed?: DetectionContext["isAllowed"];
  readonly scratchOf: (applicationId: string) => Scratch;
  readonly clock: Clock;
  readonly recent: RecentEvents;
  readonly sizes: StepSizes;
  /** Called when payloads of an application wait for delivery. */
  readonly onDerived: (applicationId: string) => void;
  /** Called when the ledger has new entries about subjects. */
  readonly onRecorded: (subjects: readonly Subject[]) => void;
  readonly onError: (error: unknown) => void;
}

export function createBatches(parts: BatchParts): Batches {
  const { storage, sizes } = parts;
  return {
    async next(applicationId, state) {
      const recent = parts.recent.first(applicationId, sizes.detected);
      const known = [...recent.keys()];
      const entries = await storage.log.read(applicationId, state.position, sizes.detected, known);
      const context = entries.length > 0 ? await readContext(applicationId, parts) : undefined;
      if (!context) return "nothing";
      const evaluated = await evaluateSafely(
        state,
        ofOneType(entries),
        { ...context, recent },
        parts,
      );
      const { evaluation, to } = evaluated;
      const result = await commit(applicationId, state, evaluation, to, parts);
      parts.recent.forget(applicationId, to);
      return result;
    },
    async sweep(applicationId, state) {
      const context = state.open.size > 0 ? await readContext(applicationId, parts) : undefined;
      if (!context) return "nothing";
      const changes = sweptIncidents(state, context, parts);
      if (changes.length === 0) return "nothing";
      const incidents = changes.map(({ incident }) => incident);
      const derived = changes.flatMap(({ payload }) => payload ?? []).map(derivedEntry);
      const evaluation = { ...NOTHING, incidents, derived };
      return commit(applicationId, state, evaluation, state.position, parts);
    },
  };
}

/** Returns the next incidents that are quiet or have unpublished changes. */
function sweptIncidents(
  { open }: Pick<ApplicationState, "open">,
  context: EvaluateContext,
  { onError, sizes }: Pick<BatchParts, "onError" | "sizes">,
): readonly Pick<IncidentChange, "incident" | "payload">[] {
  const changes: Pick<IncidentChange, "incident" | "payload">[] = [];
  for (const one of open.values()) {
    try {
      const swept = sweepIncident(one, context);
      if (swept) changes.push(publishIncident(swept, [], context));
    } catch (error) {
      // Ended without a payload, as it was stored: it must not stop the others, nor fail again.
      onError(new Error(`incident ${one.id} cannot be published, and was ended`, { cause: error }));
      changes.push({ incident: { ...one, endedAt: one.startedAt }, payload: undefined });
    }
    if (changes.length >= sizes.swept) break;
  }
  return changes;
}

/** Returns the context of an application's entries; undefined if it was deleted. */
async function readContext(
  applicationId: string,
  { storage, settings, dashboardUrl, clock, locate, scratchOf, isAllowed }: BatchParts,
): Promise<EvaluateContext | undefined> {
  const application = await storage.applications.get(applicationId);
  if (!application) return undefined;
  return {
    application,
    settings,
    playbooks: loadEnabled(await storage.playbooks.list(applicationId)),
    dashboardUrl: dashboardUrl(),
    now: clock(),
    locate,
    scratch: scratchOf(applicationId),
    ...(isAllowed && { isAllowed }),
    // Without an endpoint, responses are needed only if the application reads its blocks.
    isPulled: application.webhookUrl === null && (await hasBlocksKey(storage, applicationId)),
  };
}

async function hasBlocksKey(
  { applications }: Pick<BatchParts["storage"], "applications">,
  applicationId: string,
): Promise<boolean> {
  const keys = await applications.keysOf(applicationId);
  return keys.some(({ scope, revokedAt }) => scope === "blocks" && revokedAt === null);
}

/** Returns the first entries, as far as they have one type. */
function ofOneType(entries: readonly LogEntry[]): readonly LogEntry[] {
  const end = entries.findIndex(({ type }) => type !== entries[0]!.type);
  return end < 0 ? entries : entries.slice(0, end);
}

/** Evaluates entries, or fewer of them if they cannot be evaluated together. */
async function evaluateSafely(
  state: ApplicationState,
  entries: readonly LogEntry[],
  context: EvaluateContext,
  parts: Pick<BatchParts, "onError">,
): Promise<{ readonly evaluation: Evaluation; readonly to: number }> {
  try {
    return { evaluation: await evaluate(state, entries, context), to: entries.at(-1)!.seq };
  } catch (error) {
    if (isRiskGateError(error) && error.code === "STORE_FAILED") throw error;
    const half = Math.floor(entries.length / 2);
    if (half > 0) return evaluateSafely(state, entries.slice(0, half), context, parts);
    // It stays stored and is delivered, but has no other consequences: it must not stop the others.
    parts.onError(error);
    return { evaluation: { ...NOTHING, isTransient: true }, to: entries[0]!.seq };
  }
}

/** Stores the results together with the position after the entries, and then applies them. */
async function commit(
  applicationId: string,
  state: ApplicationState,
  evaluation: Evaluation,
  to: number,
  { storage, bounds, clock, onDerived, onRecorded }: BatchParts,
): Promise<BatchResult> {
  const { position: from, version, revision } = state;
  const store = async (inner: Storage): Promise<readonly LedgerRecord[] | undefined> => {
    const { log, ledger, playbooks } = inner;
    const step = { from, to, version, revision };
    if (!(await log.move(applicationId, "detection", step))) return undefined;
    await saveState(inner, applicationId, evaluation, bounds, clock());
    for (const { stored } of evaluation.actions) await playbooks.recordResponse(stored);
    if (evaluation.isTransient) await log.dropRead(applicationId, from, to);
    const { derived } = evaluation;
    const seqs = (derived.length > 0 ? await log.derive(applicationId, derived) : []).values();
    const records = evaluation.events.flatMap(({ event, seq }) =>
      ledgerRecordsOf(event, seq ?? seqs.next().value!),
    );
    await ledger.record(applicationId, records);
    return records;
  };
  const recorded = await storage.transaction(store);
  if (!recorded) return "outdated";
  state.position = to;
  state.version++;
  applyChanges(state, evaluation);
  if (recorded.length > 0) onRecorded(recorded);
  // The process that accepted the events cannot wake the dispatcher of this one.
  if (evaluation.events.length + evaluation.derived.length > 0) onDerived(applicationId);
  return "done";
}
