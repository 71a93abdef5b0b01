import type { AdminAnswer } from "@riskgate/api-types";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { ActivityFilter, ActivityStore, SubjectCount } from "../../storage/activity-store.js";
import { MAX_COUNTED } from "../../storage/activity.js";
import { networkOf } from "../../model/network.js";

type Activity = AdminAnswer<"GET /activity">;

/** Maximum number of addresses, accounts and networks. */
const MAX_SUBJECTS = 5;

/** Maximum number of addresses whose events are counted by step. */
const MAX_NAMES = 500;

const MINUTE = 60_000_000;

/** Lengths of a step, which divide days evenly; at most 100 fit into a period. */
const STEPS = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080].map(
  (minutes) => minutes * MINUTE,
);
const MAX_STEPS = 100;

/** Counts what happened in a period, beginning with the first event or incident in it. */
export async function activityIn(store: ActivityStore, filter: ActivityFilter): Promise<Activity> {
  const { first, count } = await store.events(filter);
  const incidents = await store.incidents(filter);
  const starts = incidents.map(({ startedAt }) => startedAt);
  const from = Math.max(filter.since, Math.min(first ?? filter.until, ...starts));
  const { until } = filter;
  const stepMicros =
    STEPS.find((length) => (until - from) / length < MAX_STEPS - 1) ?? STEPS.at(-1)!;
  const since = Math.floor(from / stepMicros) * stepMicros;
  const length = Math.floor((until - since) / stepMicros) + 1;
  const shown = { ...filter, since };
  const events = new Map(
    (await store.eventsByStep(shown, stepMicros)).map((one) => [one.step, one]),
  );
  const steps = Array.from({ length }, (_, step) => {
    const at = since + step * stepMicros;
    return {
      at: formatTimestamp(at),
      events: events.get(step)?.events ?? 0,
      highRisk: events.get(step)?.highRisk ?? 0,
      openIncidents: incidents.filter(
        ({ startedAt, endedAt }) =>
          startedAt < at + stepMicros && (endedAt === null || endedAt >= at),
      ).length,
    };
  });
  return {
    stepMs: stepMicros / 1000,
    steps,
    isPartial: count >= MAX_COUNTED,
    ...(await activeSubjects(store, shown, stepMicros, length)),
  };
}

/** The addresses, accounts and networks with the most events, and their events by step. */
async function activeSubjects(
  store: ActivityStore,
  filter: ActivityFilter,
  stepMicros: number,
  length: number,
): Promise<Pick<Activity, "addresses" | "accounts" | "networks">> {
  const subjects = await store.subjects(filter);
  const addresses = subjects.filter(({ type }) => type === "ip");
  const accounts = subjects.filter(({ type }) => type === "account").slice(0, MAX_SUBJECTS);
  const networks = busiestNetworks(addresses);
  const names = [
    ...addresses.slice(0, MAX_SUBJECTS).map(({ subject }) => subject),
    ...accounts.map(({ subject }) => subject),
    ...networks.flatMap(({ members }) => members),
  ].slice(0, MAX_NAMES);
  const counts = await store.subjectsByStep(filter, stepMicros, names);
  const byStep = (members: readonly string[]): readonly number[] => {
    const sums = Array.from({ length }, () => 0);
    const wanted = new Set(members);
    for (const { name, step, events } of counts) if (wanted.has(name)) sums[step]! += events;
    return sums;
  };
  const shown = ({ subject, events }: SubjectCount) => ({
    name: subject,
    events,
    byStep: byStep([subject]),
  });
  return {
    addresses: addresses.slice(0, MAX_SUBJECTS).map(shown),
    accounts: accounts.map(shown),
    networks: networks.map(({ name, events, members }) => ({
      name,
      events,
      addresses: members.length,
      byStep: byStep(members),
    })),
  };
}

interface Network {
  readonly name: string;
  readonly events: number;
  /** Its addresses, the most frequent first. */
  readonly members: readonly string[];
}

/** Groups addresses by network: the /24 of an IPv4 address, and the /64 of an IPv6 address. */
function busiestNetworks(addresses: readonly SubjectCount[]): readonly Network[] {
  const networks = new Map<string, { events: number; members: string[] }>();
  for (const { subject, events } of addresses) {
    const name = subject.includes(":")
      ? networkOf(subject, 64)
      : `${subject.slice(0, subject.lastIndexOf("."))}.0/24`;
    const network = networks.get(name) ?? { events: 0, members: [] };
    network.events += events;
    network.members.push(subject);
    networks.set(name, network);
  }
  return [...networks]
    .map(([name, network]) => ({ name, ...network }))
    .toSorted((one, other) => other.events - one.events)
    .slice(0, MAX_SUBJECTS);
}
