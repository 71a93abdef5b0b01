import type { IncidentChange } from "../incidents/incident-tracker.js";
import type { IntakeEvent } from "../events/event.js";
import type { RuleState } from "../events/rule-state.js";
import type { Application } from "../storage/applications.js";
import type { Instant } from "../storage/instant.js";
import type { StoredResponse } from "../storage/playbook-responses.js";
import type { Storage } from "../storage/storage.js";
import { networkOf } from "../events/network.js";
import { type LoadedPlaybook, loadPlaybook } from "./playbook.js";
import { type EventRule, isAbove, isReached } from "./playbook-rule.js";
import { type CompleteResponse, type NamedTargets, securityResponse } from "./security-response.js";
import { type Involved, targetsOf } from "./targets.js";

/** What may trigger playbooks. */
export interface PlaybookTriggers {
  readonly events: readonly IntakeEvent[];
  readonly incidents: readonly IncidentChange[];
  /** Events of accounts, each with the score that the account has by now. */
  readonly scores: readonly { readonly event: IntakeEvent; readonly score: number }[];
}

/** Runs the playbooks of applications. */
export interface PlaybookRunner {
  /** Playbooks in use. */
  load(storage: Storage, applicationId: string): Promise<readonly LoadedPlaybook[]>;
  /** Record the responses that follow, and hand them out to be delivered. */
  run(
    work: PlaybookWork,
    playbooks: readonly LoadedPlaybook[],
    triggers: PlaybookTriggers,
  ): Promise<readonly CompleteResponse[]>;
  /** Fills the windows with events and responses from before a restart, without any effect. */
  restore(
    playbooks: readonly LoadedPlaybook[],
    events: readonly IntakeEvent[],
    responses: readonly StoredResponse[],
    now: Instant,
  ): void;
}

/** What one run may use. */
interface PlaybookWork {
  readonly storage: Storage;
  readonly application: Application;
  readonly now: Instant;
}

/** Most events of one window. */
const MAX_WINDOW = 1000;

/** Most networks, and most identifiers, in one response. */
const MAX_TARGETS = 1000;

const MICROS_PER_MS = 1000;
const DAY_MS = 24 * 3_600_000;

/** Creates a runner with empty windows. */
export function createPlaybookRunner(ruleState: RuleState, maxSubjects: number): PlaybookRunner {
  const bounds = { maxEntries: maxSubjects };
  const windows = ruleState.map<readonly Involved[]>({ ...bounds, lifetimeMs: DAY_MS });
  // A target that triggers again before the end of a response is blocked already.
  const endings = ruleState.map<Instant>({ ...bounds, lifetimeMs: 30 * DAY_MS });

  const remember = (
    key: string,
    event: Involved,
    rule: EventRule,
    now: Instant,
  ): readonly Involved[] => {
    const { occurredAt, kind, addresses, accountKeys, account } = event;
    const all = [
      ...(windows.get(key) ?? []),
      { occurredAt, kind, addresses, accountKeys, account },
      // After the clock was set back, what came before counts as new.
    ].map((one) => (one.occurredAt > now ? { ...one, occurredAt: now } : one));
    const newest = Math.max(...all.map((one) => one.occurredAt));
    const start = newest - rule.windowMs * MICROS_PER_MS;
    const kept = all.filter((one) => one.occurredAt > start).slice(-MAX_WINDOW);
    windows.set(key, kept);
    return kept;
  };

  /** Count events for a rule; by subject, those of the windows that are full. */
  const countEvents = (
    playbook: EventPlaybook,
    events: readonly IntakeEvent[],
    now: Instant,
  ): readonly (readonly Involved[])[] => {
    const { rule } = playbook;
    const reached = new Map<string, readonly Involved[]>();
    const start = now - rule.windowMs * MICROS_PER_MS;
    for (const event of events) {
      // An event that was reported long after it happened must not block anybody now.
      if (!rule.kinds.includes(event.kind) || event.occurredAt <= start) continue;
      for (const subject of subjectsOf(event, playbook)) {
        const key = `${playbook.id}/${subject}`;
        const window = remember(key, event, rule, now);
        if (isReached(rule, window.length))
          reached.set(key, aboutSubject(window, subject, playbook));
      }
    }
    return [...reached.values()];
  };

  /** Those of all that are named for whom no response of the playbook lasts. */
  const newOnes = (
    playbook: LoadedPlaybook,
    named: readonly NamedTargets[],
    now: Instant,
  ): NamedTargets => {
    const longest = now + playbook.response.durationMs * MICROS_PER_MS;
    const isNew = (target: string): boolean => {
      const endsAt = endings.get(`${playbook.id}/${target}`) ?? 0;
      // One that lasts longer than any can is from before the clock was set back.
      return endsAt <= now || endsAt > longest;
    };
    const networks = new Set(named.flatMap((one) => one.networks).filter(isNew));
    const identifiers = named.flatMap((one) => one.identifiers.map((each) => JSON.stringify(each)));
    const newIdentifiers = [...new Set(identifiers.filter(isNew))];
    return {
      networks: [...networks],
      identifiers: newIdentifiers.map((text) => JSON.parse(text) as Record<string, string>),
    };
  };

  const respond = async (
    { storage, application, now }: PlaybookWork,
    playbook: LoadedPlaybook,
    named: NamedTargets,
  ): Promise<CompleteResponse> => {
    const endsAt = now + playbook.response.durationMs * MICROS_PER_MS;
    const payload = securityResponse(playbook, application, named, now);
    for (const target of targetKeys(payload)) endings.set(`${playbook.id}/${target}`, endsAt);
    await storage.playbooks.recordResponse({
      id: payload.id,
      applicationId: application.id,
      playbookId: playbook.id,
      subject: targetKeys(payload)[0]!,
      createdAt: now,
      endsAt,
      payload: { ...payload },
    });
    return payload;
  };

  return {
    async load(storage, applicationId) {
      const stored = await storage.playbooks.list(applicationId);
      return stored.filter(({ enabled }) => enabled).flatMap((one) => loadPlaybook(one) ?? []);
    },

    async run(work, playbooks, { events, incidents, scores }) {
      const responses: CompleteResponse[] = [];
      for (const playbook of playbooks) {
        const { rule, response } = playbook;
        const named: NamedTargets[] = [];
        if (isEventPlaybook(playbook)) {
          const windows = countEvents(playbook, events, work.now);
          named.push(...windows.map((window) => targetsOf(window, response)));
        } else if ("genres" in rule) {
          const changes = incidents.filter(
            ({ incident }) =>
              rule.genres.includes(incident.genre) && isReached(rule, incident.state.events),
          );
          named.push(...changes.map((change) => targetsOf(change.events, response)));
        } else if ("accountScoreAbove" in rule) {
          const risky = scores.filter(({ score }) => isAbove(rule, score));
          named.push(...risky.map(({ event }) => targetsOf([event], response, true)));
        }
        for (const part of inParts(newOnes(playbook, named, work.now))) {
          responses.push(await respond(work, playbook, part));
        }
      }
      return responses;
    },

    restore(playbooks, events, responses, now) {
      for (const playbook of playbooks) {
        if (!isEventPlaybook(playbook)) continue;
        const { rule, id } = playbook;
        for (const event of events.filter(({ kind }) => rule.kinds.includes(kind))) {
          for (const one of subjectsOf(event, playbook)) remember(`${id}/${one}`, event, rule, now);
        }
      }
      for (const { playbookId, payload, endsAt } of responses.toReversed()) {
        for (const target of targetKeys(payload)) endings.set(`${playbookId}/${target}`, endsAt);
      }
    },
  };
}

type EventPlaybook = LoadedPlaybook & { readonly rule: EventRule };

function isEventPlaybook(playbook: LoadedPlaybook): playbook is EventPlaybook {
  return "kinds" in playbook.rule;
}

/** What an event counts for under a rule. */
function subjectsOf(event: IntakeEvent, { rule, response }: EventPlaybook): readonly string[] {
  if (rule.per === "application") return [""];
  if (rule.per === "account") return event.mailbox === undefined ? [] : [event.mailbox];
  return [...new Set(event.addresses.map((ip) => networkOf(ip, response.ipv6Prefix)))];
}

/** A rule that counts by address is about that address, or its network, alone. */
function aboutSubject(
  window: readonly Involved[],
  subject: string,
  { rule, response }: EventPlaybook,
): readonly Involved[] {
  if (rule.per !== "address") return window;
  const isInside = (ip: string): boolean => networkOf(ip, response.ipv6Prefix) === subject;
  return window.map((one) => ({ ...one, addresses: one.addresses.filter(isInside) }));
}

/** Cut what is named into responses of bearable size; nothing gives none. */
function inParts({ networks, identifiers }: NamedTargets): readonly NamedTargets[] {
  const length = Math.ceil(Math.max(networks.length, identifiers.length) / MAX_TARGETS);
  return Array.from({ length }, (_, index) => {
    const range = [index * MAX_TARGETS, (index + 1) * MAX_TARGETS] as const;
    return { networks: networks.slice(...range), identifiers: identifiers.slice(...range) };
  });
}

/** Keys of whom a response names; none where it was erased. */
function targetKeys({ properties }: Partial<Pick<CompleteResponse, "properties">>): string[] {
  if (!properties) return [];
  return [
    ...properties.ips.map(({ ip_cidr }) => ip_cidr),
    ...properties.user_identifiers.map((identifier) => JSON.stringify(identifier)),
  ];
}
