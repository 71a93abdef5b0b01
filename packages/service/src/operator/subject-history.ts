import { destinationOf, mailboxOf } from "@riskgate/core/address";
import type { DetectionSettings } from "../detection/detection-settings.js";
import { GENRE_RULES, ruleOf } from "../detection/incidents/genre-rule.js";
import { restoreEvent } from "../intake/restore-event.js";
import type { RecordedDecision } from "../model/decision.js";
import type { IntakeEvent, RecordedEvent } from "../model/event.js";
import type { RecordedLabel } from "../model/stored-label.js";
import type { RecordedIncident } from "../model/incident.js";
import type { Clock } from "../model/instant.js";
import type { StoredResponse } from "../model/playbook.js";
import type { Subject } from "../model/subject.js";
import type { RecentScores, ScoredLookup } from "../rehearsal/recent-scores.js";
import type { Storage } from "../storage/storage.js";
import { type Block, blocksIn, concerns, targetsOf } from "./blocks.js";
import { loginsOf, type SubjectLogins } from "./subject-logins.js";

interface Occurrence {
  readonly name: string;
  readonly events: number;
}

/** Everything stored about an address or an account. All lists are newest first. */
export interface SubjectHistory extends SubjectLogins {
  readonly events: readonly RecordedEvent[];
  /** True if there are older events; `related` does not include them. */
  readonly isPartial: boolean;
  readonly incidents: readonly RecordedIncident[];
  readonly responses: readonly StoredResponse[];
  readonly blocks: readonly Block[];
  /** Recent lookups with a score above 0. */
  readonly lookups: readonly ScoredLookup[];
  readonly decisions: readonly RecordedDecision[];
  /** Labels of an account, at most one for each application. */
  readonly labels: readonly RecordedLabel[];
  /** Accounts named together with an address, or addresses named with an account. */
  readonly related: readonly Occurrence[];
}

export interface SubjectHistoryParts {
  readonly storage: Storage;
  readonly scores: Pick<RecentScores, "view">;
  readonly settings: Pick<DetectionSettings, "logins" | "providerRules">;
  readonly clock: Clock;
}

interface SubjectFilter {
  readonly applicationId?: string;
  /** Digest of the subject in decision logs; without it, no decisions are found. */
  readonly digest?: string;
}

const MAX_EVENTS = 100;
const MAX_INCIDENTS = 50;
const MAX_RESPONSES = 50;
const MAX_DECISIONS = 100;
const MAX_LABELS = 100;
const MAX_RELATED = 50;

/** Responses and incidents that are searched, for each application and genre. */
const MAX_SEARCHED = 1_000;

export async function subjectHistory(
  { storage, scores, settings, clock }: SubjectHistoryParts,
  subject: Subject,
  { applicationId, digest }: SubjectFilter,
): Promise<SubjectHistory> {
  const applications = (await storage.applications.list()).filter(
    ({ id }) => applicationId === undefined || id === applicationId,
  );
  const found = await storage.events.list({
    subject,
    limit: MAX_EVENTS + 1,
    ...(applicationId !== undefined && { applicationId }),
  });
  const recorded = found.slice(0, MAX_EVENTS);
  const byId = new Map(applications.map((one) => [one.id, one]));
  const restored = recorded.map((event): [RecordedEvent, IntakeEvent | undefined] => {
    const application = byId.get(event.applicationId);
    // The URL is unused, because no payload is composed.
    const context = { dashboardUrl: "", providerRules: settings.providerRules };
    return [event, application && restoreEvent(event, { ...context, application }, clock())];
  });
  const logins = await loginsOf(
    storage,
    subject,
    applications.map(({ id }) => id),
    settings,
  );
  const responses = await responsesTo(storage, subject, [...byId.keys()]);
  const isAbout = concerns(subject);
  return {
    ...logins,
    events: recorded,
    isPartial: found.length > MAX_EVENTS,
    incidents: await incidentsOf(storage, subject, restored, settings.providerRules),
    responses,
    blocks: blocksIn(responses, clock()).filter(isAbout),
    lookups: scores.view(applicationId).latest.filter(isLookupOf(subject)),
    decisions:
      digest === undefined
        ? []
        : await storage.decisions.list({
            limit: MAX_DECISIONS,
            digest,
            ...(applicationId !== undefined && { applicationId }),
          }),
    labels: subject.type === "account" ? await labelsOf(storage, subject, applicationId) : [],
    related: countNames([
      ...restored.flatMap(([, event]) =>
        subject.type === "ip" ? (event?.accounts ?? []) : (event?.addresses ?? []),
      ),
      ...logins.logins.map(({ account, address }) => (subject.type === "ip" ? account : address)),
    ]),
  };
}

function labelsOf(
  { labels }: Storage,
  { subject }: Subject,
  applicationId: string | undefined,
): Promise<readonly RecordedLabel[]> {
  return labels.list({
    about: "account",
    target: mailboxOf(subject),
    limit: MAX_LABELS,
    ...(applicationId !== undefined && { applicationId }),
  });
}

async function responsesTo(
  { playbooks }: Storage,
  subject: Subject,
  applicationIds: readonly string[],
): Promise<readonly StoredResponse[]> {
  const isAbout = concerns(subject);
  const found: StoredResponse[] = [];
  for (const id of applicationIds) {
    const sent = await playbooks.responses(id, MAX_SEARCHED);
    found.push(...sent.filter((response) => targetsOf(response).some(isAbout)));
  }
  return found.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, MAX_RESPONSES);
}

/** Finds the incidents that include one of the events, and those about the account itself. */
async function incidentsOf(
  { incidents }: Storage,
  subject: Subject,
  restored: readonly (readonly [RecordedEvent, IntakeEvent | undefined])[],
  providerRules: boolean,
): Promise<readonly RecordedIncident[]> {
  const mailbox = mailboxOf(subject.subject, providerRules);
  const own = subject.type === "account" ? mailbox : undefined;
  const genres = new Set([
    ...restored.flatMap(([{ kind }]) => ruleOf(kind)?.genre ?? []),
    ...(own === undefined ? [] : GENRE_RULES.filter(isByAccount).map(({ genre }) => genre)),
    "user_risk_increased" as const,
  ]);
  const found: RecordedIncident[] = [];
  for (const genre of genres) {
    const listed = await incidents.list({ genre, limit: MAX_SEARCHED });
    found.push(
      ...listed.filter(
        (one) => one.subject === own || restored.some(([event, read]) => isIn(one, event, read)),
      ),
    );
  }
  return found.toSorted((one, other) => other.startedAt - one.startedAt).slice(0, MAX_INCIDENTS);
}

function isByAccount({ about }: (typeof GENRE_RULES)[number]): boolean {
  return about === "account";
}

function isIn(
  { applicationId, genre, subject, startedAt, endedAt }: RecordedIncident,
  event: RecordedEvent,
  restored: IntakeEvent | undefined,
): boolean {
  const rule = ruleOf(event.kind);
  const isSame = rule
    ? rule.genre === genre && subject === (isByAccount(rule) ? (restored?.mailbox ?? "") : "")
    : false;
  return (
    isSame &&
    applicationId === event.applicationId &&
    event.occurredAt >= startedAt &&
    event.occurredAt <= (endedAt ?? Infinity)
  );
}

function isLookupOf({ type, subject }: Subject): (lookup: ScoredLookup) => boolean {
  if (type === "account") {
    const mailbox = mailboxOf(subject);
    return (one) => one.type === "email" && mailboxOf(one.identifier) === mailbox;
  }
  return (one) => one.type === "ip" && destinationOf(one.identifier) === subject;
}

function countNames(names: readonly string[]): readonly Occurrence[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, events]) => ({ name, events }))
    .toSorted((one, other) => other.events - one.events)
    .slice(0, MAX_RELATED);
}
