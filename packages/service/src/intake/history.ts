import type { IncidentGenre } from "@riskgate/core/payloads";
import type { IntakeEvent } from "../model/event.js";
import { networkOf } from "../model/network.js";
import { GENRE_RULES, ruleOf } from "../detection/incidents/genre-rule.js";
import type { RecordedEvent } from "../model/event.js";
import type { RecordedIncident } from "../model/incident.js";
import type { Clock, Instant } from "../model/instant.js";
import type { StoredResponse } from "../model/playbook.js";
import type { Storage } from "../storage/storage.js";
import { restoreEvent } from "./restore-event.js";

/** How often an address or account occurs among the events of an incident. */
interface Occurrence {
  readonly name: string;
  readonly events: number;
}

/** An incident with its events and responses. */
interface IncidentHistory {
  readonly incident: RecordedIncident;
  /** Newest first; none for an incident that was made from counters. */
  readonly events: readonly RecordedEvent[];
  /** Whether older events of the incident are left out, and not counted below either. */
  readonly isPartial: boolean;
  /** Most frequent first. */
  readonly addresses: readonly Occurrence[];
  readonly accounts: readonly Occurrence[];
  /** Responses sent while it went on that name one of its addresses or accounts; newest first. */
  readonly responses: readonly StoredResponse[];
}

/** An event with its incidents and responses. */
interface EventHistory {
  readonly event: RecordedEvent;
  readonly incidents: readonly RecordedIncident[];
  /** Responses sent within a day that name one of its addresses or accounts; newest first. */
  readonly responses: readonly StoredResponse[];
}

/** Finds the records that belong together; undefined or empty if nothing is stored. */
export interface History {
  incident(id: string): Promise<IncidentHistory | undefined>;
  /** One of each application at most. */
  events(id: string): Promise<readonly EventHistory[]>;
}

export interface HistoryParts {
  readonly storage: Storage;
  readonly providerRules: boolean;
  readonly clock: Clock;
}

/** Most events that are looked at, and most that are given back. */
const MAX_SCANNED = 5_000;
const MAX_EVENTS = 500;

const MAX_NAMES = 100;
const MAX_RESPONSES = 1_000;

/** Longest window of a playbook: no event causes a response later than that. */
const DAY = 86_400_000_000;

/** The clock of an event and that of the response that it causes are read one after the other. */
const SECOND = 1_000_000;

/** Incidents whose events are those of one account, of whatever kind. */
const BY_SCORE: IncidentGenre = "user_risk_increased";

/**
 * Creates the history. The events of an incident are not stored with it: the rules that began it find
 * them.
 */
export function createHistory({ storage, providerRules, clock }: HistoryParts): History {
  const restore = async (
    recorded: readonly RecordedEvent[],
    applicationId: string,
  ): Promise<readonly [RecordedEvent, IntakeEvent | undefined][]> => {
    const application = await storage.applications.get(applicationId);
    if (!application) return [];
    // Nothing composes a payload from it.
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
          incidents,
          responses: await responsesTo(applicationId, known, time),
        });
      }
      return histories;
    },
  };
}

/** The incidents that an event can belong to. */
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

/** Returns the targets of an event that a response can name. */
function targetsOfEvent({ addresses, accountKeys }: IntakeEvent): string[] {
  return [
    ...addresses.flatMap((ip) => [networkOf(ip, 64), networkOf(ip, 128)]),
    ...accountKeys.map(({ name, value }) => JSON.stringify({ [name]: value })),
  ];
}

/** Returns the targets in the payload of a response; none if it was erased. */
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
