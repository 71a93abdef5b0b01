import type { IncidentChange } from "../incidents/track-incidents.js";
import type { IntakeEvent } from "../../model/event.js";
import type { RuleState } from "../../intake/window-memory.js";
import type { Application } from "../../model/application.js";
import type { Instant } from "../../model/instant.js";
import type { Storage } from "../../storage/storage.js";
import { networkOf } from "../../model/network.js";
import { loadPlaybook } from "./playbook.js";
import type { LoadedPlaybook } from "../../model/playbook.js";
import { isAbove, isReached } from "./playbook-rule.js";
import type { EventRule } from "../../model/playbook.js";
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
  const windows = ruleState.map<readonly Involved[]>("involved", { ...bounds, lifetimeMs: DAY_MS });
  // A target that triggers again before the end of a response is blocked already.
  const endings = ruleState.map<Instant>("endings", { ...bounds, lifetimeMs: 30 * DAY_MS });

  /** Add what a subject is involved in to its window; the window when it was last full, if it was. */
  const remember = (
    key: string,
    added: readonly Involved[],
    rule: EventRule,
    now: Instant,
  ): readonly Involved[] | undefined => {
    // After the clock was set back, what came before counts as new.
    const untilNow = (one: Involved): Involved =>
      one.occurredAt > now ? { ...one, occurredAt: now } : one;
    let window = (windows.get(key) ?? []).map(untilNow);
    let newest = window.reduce((latest, one) => Math.max(latest, one.occurredAt), 0);
    let full: { readonly window: readonly Involved[]; readonly size: number } | undefined;
    for (const one of added.map(untilNow)) {
      window.push(one);
      newest = Math.max(newest, one.occurredAt);
      const start = newest - rule.windowMs * MICROS_PER_MS;
      // A new list, so that the one that was full stays as it was.
      if (window.some(({ occurredAt }) => occurredAt <= start) || window.length > MAX_WINDOW)
        window = window.filter(({ occurredAt }) => occurredAt > start).slice(-MAX_WINDOW);
      if (isReached(rule, window.length)) full = { window, size: window.length };
    }
    windows.set(key, window);
    return full?.window.slice(0, full.size);
  };

  /** Count events for a rule; by subject, those of the windows that are full. */
  const countEvents = (
    playbook: EventPlaybook,
    events: readonly IntakeEvent[],
    now: Instant,
  ): readonly (readonly Involved[])[] => {
    const { rule } = playbook;
    const start = now - rule.windowMs * MICROS_PER_MS;
    // An event that was reported long after it happened must not block anybody now.
    const recent = events.filter(
      ({ kind, occurredAt }) => rule.kinds.includes(kind) && occurredAt > start,
    );
    const added = new Map<string, Involved[]>();
    for (const event of recent) {
      for (const [subject, involved] of involvedIn(event, playbook)) {
        const others = added.get(subject);
        if (others) others.push(involved);
        else added.set(subject, [involved]);
      }
    }
    return [...added].flatMap(([subject, involved]) => {
      const full = remember(`${playbook.id}/${subject}`, involved, rule, now);
      return full ? [full] : [];
    });
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
  };
}

type EventPlaybook = LoadedPlaybook & { readonly rule: EventRule };

function isEventPlaybook(playbook: LoadedPlaybook): playbook is EventPlaybook {
  return "kinds" in playbook.rule;
}

/**
 * What an event counts for under a rule, and how it is remembered there: a rule that counts by
 * address is about that address, or its network, alone.
 */
function involvedIn(
  { occurredAt, kind, addresses, accountKeys, account, mailbox }: IntakeEvent,
  { rule, response }: EventPlaybook,
): ReadonlyMap<string, Involved> {
  const involved = { occurredAt, kind, addresses, accountKeys, account };
  if (rule.per === "application") return new Map([["", involved]]);
  if (rule.per === "account") return new Map(mailbox === undefined ? [] : [[mailbox, involved]]);
  const networks = new Map<string, string[]>();
  for (const ip of addresses) {
    const network = networkOf(ip, response.ipv6Prefix);
    networks.set(network, [...(networks.get(network) ?? []), ip]);
  }
  return new Map([...networks].map(([network, ips]) => [network, { ...involved, addresses: ips }]));
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
