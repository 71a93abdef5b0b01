import { isRiskGateError } from "@riskgate/core";
import type { IncidentTracker } from "../incidents/incident-tracker.js";
import type { LoadedPlaybook } from "../playbooks/playbook.js";
import type { PlaybookRunner } from "../playbooks/playbook-runner.js";
import type { RecordedEvent } from "../storage/events.js";
import type { Clock, Instant } from "../storage/instant.js";
import type { Storage } from "../storage/storage.js";
import { composeEvent, type EventContext, type IntakeEvent } from "../events/event.js";
import { readEvent } from "../events/read-event.js";
import type { RuleSettings } from "./rule-options.js";

/** What a restart starts from. */
export interface RestoreParts {
  readonly storage: Storage;
  readonly tracker: IncidentTracker;
  readonly runner: PlaybookRunner;
  readonly settings: RuleSettings;
  readonly dashboardUrl: string;
  readonly clock: Clock;
}

/** Most events, and most responses, of one application that are read again. */
const MAX_EVENTS = 10_000;
const MAX_RESPONSES = 1000;

/**
 * Fill the windows of incidents and playbooks from what is stored, so that an attack gains
 * nothing from a restart. Windows of login outcomes, which are not stored, start anew.
 */
export async function restoreRules(parts: RestoreParts): Promise<void> {
  const { storage, tracker, runner, settings, dashboardUrl, clock } = parts;
  const { providerRules } = settings;
  const now = clock();
  for (const application of await storage.applications.list()) {
    const applicationId = application.id;
    const playbooks = await runner.load(storage, applicationId);
    const since = now - longestWindowMs(settings, playbooks) * 1000;
    const recorded = await storage.events.list({ applicationId, since, limit: MAX_EVENTS });
    const events = recorded
      .toReversed()
      .flatMap(
        (event) => restoreEvent(event, { application, dashboardUrl, providerRules }, now) ?? [],
      );
    tracker.restore(applicationId, events, now);
    const responses = await storage.playbooks.responses(applicationId, MAX_RESPONSES);
    runner.restore(playbooks, events, responses, now);
  }
}

function longestWindowMs(settings: RuleSettings, playbooks: readonly LoadedPlaybook[]): number {
  const windows = playbooks.map(({ rule }) => ("windowMs" in rule ? rule.windowMs : 0));
  return Math.max(settings.incidents.windowMs, ...windows);
}

/** What a stored event is completed with: where its addresses are was stored with it. */
export type RestoreContext = Omit<EventContext, "locate">;

const locate: EventContext["locate"] = () => ({ geo: {}, isTor: false });

/**
 * Read a stored event as if it were reported; undefined for one that was erased. The clock may have
 * been set back since.
 */
export function restoreEvent(
  { id, occurredAt, payload, receivedAt }: RecordedEvent,
  context: RestoreContext,
  now: Instant,
): IntakeEvent | undefined {
  try {
    const facts = { ...readEvent(payload, Math.max(now, receivedAt)), id, occurredAt };
    return composeEvent(facts, { ...context, locate });
  } catch (error) {
    if (isRiskGateError(error)) return undefined;
    throw error;
  }
}
