import type { AdminClient } from "./admin-client.js";

/** A security event on record. */
export interface EventView {
  readonly id: string;
  readonly applicationId: string;
  readonly kind: string;
  readonly category: string;
  readonly occurredAt: string;
  readonly highRisk: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** An incident on record. */
export interface IncidentView {
  readonly id: string;
  readonly applicationId: string;
  readonly genre: string;
  readonly subject: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A response that a playbook sent. */
interface ResponseView {
  readonly createdAt: string;
  readonly endsAt: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Occurrence {
  readonly name: string;
  readonly events: number;
}

/** An incident with what belongs to it. */
interface IncidentHistoryView {
  readonly incident: IncidentView;
  readonly events: readonly EventView[];
  readonly isPartial: boolean;
  readonly addresses: readonly Occurrence[];
  readonly accounts: readonly Occurrence[];
  readonly responses: readonly ResponseView[];
}

/** An event with what belongs to it. */
interface EventHistoryView {
  readonly event: EventView;
  readonly incidents: readonly IncidentView[];
  readonly responses: readonly ResponseView[];
}

/** A rule with its response. */
export interface PlaybookView {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
  readonly rule: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly [member: string]: unknown;
}

/** What a playbook would have done. */
interface DryRunView {
  readonly since: string;
  readonly events: number;
  readonly isPartial: boolean;
  readonly responseCount: number;
  readonly responses: readonly ResponseView[];
}

/** What became of events that were reported. */
interface ReportView {
  readonly elements: readonly {
    readonly state: string;
    readonly id?: string;
    readonly reason?: string;
  }[];
  readonly events: readonly { readonly id: string; readonly kind: string }[];
}

type Query = Readonly<Record<string, string>>;

/** What the commands ask about events, incidents and playbooks. */
export interface RecordApi {
  listIncidents(query: Query): Promise<readonly IncidentView[]>;
  showIncident(id: string): Promise<IncidentHistoryView>;
  listEvents(query: Query): Promise<readonly EventView[]>;
  /** One of each application at most. */
  showEvent(id: string): Promise<readonly EventHistoryView[]>;
  reportEvents(applicationId: string, events: readonly object[]): Promise<ReportView>;
  /** Of one application, or of all. */
  listPlaybooks(applicationId?: string): Promise<readonly PlaybookView[]>;
  addPlaybook(applicationId: string, playbook: object): Promise<PlaybookView>;
  removePlaybook(id: string): Promise<void>;
  dryRunPlaybook(id: string, settings: object): Promise<DryRunView>;
  /** Try one that is not stored. */
  dryRun(applicationId: string, settings: object): Promise<DryRunView>;
}

/** Name the calls of a client. */
export function createRecordApi(client: AdminClient): RecordApi {
  const get = async <T>(path: string, query: Query = {}): Promise<T> => {
    const text = new URLSearchParams(query).toString();
    return (await client.call("GET", text === "" ? path : `${path}?${text}`)) as T;
  };
  const post = async <T>(path: string, body: object): Promise<T> =>
    (await client.call("POST", path, body)) as T;
  const encode = encodeURIComponent;
  const playbooksOf = (id: string): string => `/applications/${encode(id)}/playbooks`;
  return {
    listIncidents: async (query) =>
      (await get<{ incidents: IncidentView[] }>("/incidents", query)).incidents,
    showIncident: (id) => get(`/incidents/${encode(id)}`),
    listEvents: async (query) => (await get<{ events: EventView[] }>("/events", query)).events,
    showEvent: async (id) =>
      (await get<{ events: EventHistoryView[] }>(`/events/${encode(id)}`)).events,
    reportEvents: (id, events) => post(`/applications/${encode(id)}/events`, events),
    listPlaybooks: async (id) =>
      (await get<{ playbooks: PlaybookView[] }>(id === undefined ? "/playbooks" : playbooksOf(id)))
        .playbooks,
    addPlaybook: async (id, playbook) =>
      (await post<{ playbook: PlaybookView }>(playbooksOf(id), playbook)).playbook,
    async removePlaybook(id) {
      await client.call("DELETE", `/playbooks/${encode(id)}`);
    },
    dryRunPlaybook: (id, settings) => post(`/playbooks/${encode(id)}/dry-run`, settings),
    dryRun: (id, settings) => post(`${playbooksOf(id)}/dry-run`, settings),
  };
}
