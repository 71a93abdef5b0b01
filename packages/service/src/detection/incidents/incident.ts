import type { IncidentState, IncidentRecord, IncidentTopic } from "../../model/incident.js";
import type { Instant } from "../../model/instant.js";
import { randomId } from "../../model/random-id.js";
import { addDistinct } from "./distinct.js";
import type { Contribution } from "./contribution.js";

/** Maximum number of account names, and of locations, in the description of an incident. */
const MAX_NAMES = 3;

export const EMPTY_INCIDENT: IncidentState = {
  events: 0,
  lastAt: 0,
  publishedAt: 0,
  blocked: true,
  addresses: [],
  accounts: [],
  userAgents: [],
  accountNames: [],
  placeNames: [],
};

/** Opens an incident, which requires at least one contribution. */
export function beginIncident(
  topic: IncidentTopic,
  contributions: readonly [Contribution, ...Contribution[]],
  now: Instant,
): IncidentRecord {
  const { applicationId, genre, subject } = topic;
  const empty: IncidentRecord = {
    id: randomId(),
    applicationId,
    genre,
    subject,
    startedAt: contributions[0].at,
    endedAt: null,
    updatedAt: now,
    payload: {},
    state: EMPTY_INCIDENT,
  };
  return extendIncident(empty, contributions, now);
}

/** Adds contributions to an incident; their order does not affect its counts. */
export function extendIncident(
  incident: IncidentRecord,
  contributions: readonly Contribution[],
  now: Instant,
): IncidentRecord {
  const { state } = incident;
  const all = (of: (contribution: Contribution) => readonly string[]): string[] =>
    contributions.flatMap(of);
  const names = (known: readonly string[], more: readonly string[]): string[] =>
    [...new Set([...known, ...more])].slice(0, MAX_NAMES);
  return {
    ...incident,
    startedAt: contributions.reduce((first, { at }) => Math.min(first, at), incident.startedAt),
    updatedAt: now,
    state: {
      ...state,
      events: contributions.reduce((sum, { events }) => sum + events, state.events),
      lastAt: contributions.reduce((last, { at }) => Math.max(last, at), state.lastAt),
      blocked: contributions.every(({ blocked }) => blocked) && state.blocked,
      addresses: addDistinct(
        state.addresses,
        all(({ addresses }) => addresses),
      ),
      accounts: addDistinct(
        state.accounts,
        all(({ accounts }) => accounts),
      ),
      userAgents: addDistinct(
        state.userAgents,
        all(({ userAgents }) => userAgents),
      ),
      accountNames: names(
        state.accountNames,
        all(({ accountNames }) => accountNames),
      ),
      placeNames: names(
        state.placeNames,
        all(({ places }) => places),
      ),
    },
  };
}

export function endIncident(incident: IncidentRecord, now: Instant): IncidentRecord {
  const endedAt = Math.max(incident.startedAt, incident.state.lastAt);
  return { ...incident, endedAt, updatedAt: now };
}
