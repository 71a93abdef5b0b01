import type { IncidentGenre } from "@riskgate/core/payloads";
import type { IntakeEvent } from "../model/event.js";
import { networkOf } from "../model/network.js";
import { GENRE_RULES, ruleOf } from "../detection/incidents/genre-rule.js";
import type { RecordedEvent } from "../model/event.js";
import type { RecordedIncident } from "../model/incident.js";
import type { Clock, Instant } from "../model/instant.js";
import type { StoredResponse } from "../model/playbook.js";
import type { Subject } from "../model/subject.js";
import type { Storage } from "../storage/storage.js";
import { restoreEvent } from "./restore-event.js";

interface Occurrence {
  readonly name: string;
  readonly events: number;
}

interface IncidentHistory {
  readonly incident: RecordedIncident;
  /** The events, newest first; empty for an incident that was detected from counters. */
  readonly events: readonly RecordedEvent[];
  /** True if older events are left out, which the counts below do not include either. */
  readonly isPartial: boolean;
  /** Addresses in the events, most frequent first. */
  readonly addresses: readonly Occurrence[];
  readonly accounts: readonly Occurrence[];
  /** Responses during the incident that name one of its addresses or accounts, newest first. */
  readonly responses: readonly StoredResponse[];
}

interface EventHistory {
  readonly event: RecordedEvent;
  /** Its addresses and accounts; none if it was erased. */
  readonly subjects: readonly Subject[];
  readonly incidents: readonly RecordedIncident[];
  /** Responses within a day after the event that name one of its addresses or accounts, newest first. */
  readonly responses: readonly StoredResponse[];
}

/** Finds related records; undefined or empty if nothing is stored. */
export interface History {
  incident(id: string): Promise<IncidentHistory | undefined>;
  /** Returns the events with an id: at most one for each application. */
  events(id: string): Promise<readonly EventHistory[]>;
}

export interface HistoryParts {
  readonly storage: Storage;
  readonly providerRules: boolean;
  readonly clock: Clock;
}

/** Maximum number of events that are read, and maximum number that are returned. */
const MAX_SCANNED = 5_000;
const MAX_EVENTS = 500;

const MAX_NAMES = 100;
const MAX_RESPONSES = 1_000;

/** Longest playbook window: no event triggers a response after that. */
const DAY = 86_400_000_000;

/** Tolerance, because an event and its response read the clock one after the other. */
const SECOND = 1_000_000;

/** Genre of incidents that include all events of one account, whatever their kind. */
const BY_SCORE: IncidentGenre = "user_risk_increased";

/**
 * Creates the history. An incident's events are not stored with it: the rules that opened the incident
 * find them again.
 */
export function createHistory({ storage, providerRules, clock }: HistoryParts): History {
  const restore = async (
    recorded: readonly RecordedEvent[],
    applicationId: string,
  ): Promise<readonly [RecordedEvent, IntakeEvent | undefined][]> => {
    const application = await storage.applications.get(applicationId);
    if (!application) return [];
    // The URL is unused, because no payload is composed.
    const context = { application, dashboardUrl: "", providerRules };
    return recorded.map((event) => [event, restoreEvent(event, context, clock())]);
  };

  const responsesTo = async (
    applicationId: string,
    events: readonly IntakeEvent[],
    time: { readonly since: Instant; readonly until: Instant },
  ): Promise<readonly StoredResponse[]> => {
    const targets = new Set(events.flatMap(targetsOfEvent));
    const sent = await storage.playbooks.responses(applicationId, MAX_RESPONSES, time);
    return sent.filter(({ payload }) => targetsOfResponse(payload).some((one) => targets.has(one)));
  };

  return {
    async incident(id) {
      const incident = await storage.incidents.get(id);
      if (!incident) return undefined;
      const { applicationId, genre, subject, startedAt, endedAt, updatedAt } = incident;
      const rule = GENRE_RULES.find((one) => one.genre === genre);
      const isByAccount = rule ? rule.about === "account" : genre === BY_SCORE;
      const recorded =
        rule || isByAccount
          ? await storage.events.list({
              applicationId,
              since: startedAt,
              until: endedAt ?? clock(),
              limit: MAX_SCANNED,
              ...(rule && { kinds: rule.kinds }),
            })
          : [];
      const restored = await restore(recorded, applicationId);
      const own = restored.filter(
        ([, event]) => !isByAccount || (event?.mailbox ?? "") === subject,
      );
      const events = own.flatMap(([, event]) => event ?? []);
      return {
        incident,
        events: own.slice(0, MAX_EVENTS).map(([event]) => event),
        isPartial: own.length > MAX_EVENTS || recorded.length === MAX_SCANNED,
        addresses: countNames(events.flatMap(({ addresses }) => addresses)),
        accounts: countNames(events.flatMap(({ accounts }) => accounts)),
        responses: await responsesTo(applicationId, events, {
          since: startedAt,
          until: updatedAt + SECOND,
        }),
      };
    },

    async events(id) {
      const histories: EventHistory[] = [];
      for (const event of await storage.events.find(id)) {
        const { applicationId, receivedAt } = event;
        const [[, restored] = []] = await restore([event], applicationId);
        const known = restored ? [restored] : [];
        const incidents: RecordedIncident[] = [];
        for (const topic of topicsOf(event, restored)) {
          const at = event.occurredAt;
          incidents.push(...(await storage.incidents.during({ applicationId, ...topic, at })));
        }
        const time = { since: receivedAt - SECOND, until: receivedAt + DAY };
        histories.push({
          event,
          subjects: known.flatMap(subjectsOfEvent),
          incidents,
          responses: await responsesTo(applicationId, known, time),
        });
      }
      return histories;
    },
  };
}

function topicsOf(
  { kind }: RecordedEvent,
  restored: IntakeEvent | undefined,
): readonly Pick<RecordedIncident, "genre" | "subject">[] {
  const rule = ruleOf(kind);
  const mailbox = restored?.mailbox;
  return [
    ...(rule
      ? [{ genre: rule.genre, subject: rule.about === "account" ? (mailbox ?? "") : "" }]
      : []),
    ...(mailbox === undefined ? [] : [{ genre: BY_SCORE, subject: mailbox }]),
  ];
}

function subjectsOfEvent({ addresses, accounts }: IntakeEvent): readonly Subject[] {
  return [
    ...addresses.map((subject): Subject => ({ type: "ip", subject })),
    ...accounts.map((subject): Subject => ({ type: "account", subject })),
  ];
}

function targetsOfEvent({ addresses, accountKeys }: IntakeEvent): string[] {
  return [
    ...addresses.flatMap((ip) => [networkOf(ip, 64), networkOf(ip, 128)]),
    ...accountKeys.map(({ name, value }) => JSON.stringify({ [name]: value })),
  ];
}

/** Returns the targets in a response payload; none if it was erased. */
function targetsOfResponse(payload: Readonly<Record<string, unknown>>): string[] {
  const { ips = [], user_identifiers: identifiers = [] } = (payload["properties"] ?? {}) as {
    readonly ips?: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers?: readonly object[];
  };
  return [...ips.map(({ ip_cidr }) => ip_cidr), ...identifiers.map((one) => JSON.stringify(one))];
}

function countNames(names: readonly string[]): readonly Occurrence[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, events]) => ({ name, events }))
    .toSorted((one, other) => other.events - one.events)
    .slice(0, MAX_NAMES);
}
