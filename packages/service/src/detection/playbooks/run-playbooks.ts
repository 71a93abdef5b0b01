import type { Application } from "../../model/application.js";
import type { IntakeEvent } from "../../model/event.js";
import type { Instant } from "../../model/instant.js";
import { networkOf } from "../../model/network.js";
import type { EventRule, LoadedPlaybook, StoredResponse } from "../../model/playbook.js";
import type { IncidentChange } from "../incidents/track-incidents.js";
import { type WindowChange, WindowDraft, type WindowMap, type Windows } from "../windows.js";
import { isAbove, isReached } from "./playbook-rule.js";
import { blockKeysOf, type BlockPeriod, BLOCKS } from "./block-windows.js";
import { type CompleteResponse, type NamedTargets, securityResponse } from "./security-response.js";
import { type Involved, targetsOf } from "./targets.js";

export interface PlaybookTriggers {
  readonly events: readonly IntakeEvent[];
  readonly incidents: readonly IncidentChange[];
  readonly scores: readonly { readonly event: IntakeEvent; readonly score: number }[];
}

export interface PlaybookAction {
  readonly stored: StoredResponse;
  readonly payload: CompleteResponse;
}

export interface PlaybookChanges {
  readonly actions: readonly PlaybookAction[];
  readonly windows: readonly WindowChange[];
}

interface PlaybookContext {
  readonly application: Application;
  readonly now: Instant;
  /** True if no response may block a target, because an operator allows it. */
  readonly isAllowed?: (type: "network" | "account", target: string) => boolean;
}

const MAX_WINDOW = 1000;

/** Maximum number of networks, and of identifiers, in one response. */
const MAX_TARGETS = 1000;

const MICROS_PER_MS = 1000;

export function runPlaybooks(
  windows: Windows,
  playbooks: readonly LoadedPlaybook[],
  triggers: PlaybookTriggers,
  context: PlaybookContext,
): PlaybookChanges {
  const draft = new WindowDraft(windows);
  const involved = draft.map<readonly Involved[]>("involved");
  // A target that triggers again before its response ends is already blocked.
  const endings = draft.map<Instant>("endings");
  const blocks = draft.map<BlockPeriod>(BLOCKS);
  const actions = playbooks.flatMap((playbook) => {
    const all = targetsNamed(involved, playbook, triggers, context.now);
    const named = all.map((one) => withoutAllowed(one, context));
    const fresh = withoutBlocked({ endings, blocks }, playbook, named, context.now);
    return inParts(fresh).map((part) => {
      const action = respond(playbook, part, context);
      const { endsAt } = action.stored;
      for (const target of targetKeys(action.payload)) {
        endings.set(`${playbook.id}/${target}`, endsAt);
      }
      for (const key of blockKeysOf(part)) blocks.set(key, { since: context.now, until: endsAt });
      return action;
    });
  });
  return { actions, windows: draft.changes() };
}

/** Returns a playbook's targets, by trigger. */
function targetsNamed(
  involved: WindowMap<readonly Involved[]>,
  playbook: LoadedPlaybook,
  { events, incidents, scores }: PlaybookTriggers,
  now: Instant,
): readonly NamedTargets[] {
  const { rule, response } = playbook;
  if (isEventPlaybook(playbook)) {
    const full = countEvents(involved, playbook, events, now);
    return full.map((window) => targetsOf(window, response));
  }
  if ("genres" in rule) {
    return incidents
      .filter(
        ({ incident }) =>
          rule.genres.includes(incident.genre) && isReached(rule, incident.state.events),
      )
      .map((change) => targetsOf(change.events, response));
  }
  if (!("accountScoreAbove" in rule)) return [];
  return scores
    .filter(({ score }) => isAbove(rule, score))
    .map(({ event }) => targetsOf([event], response, true));
}

type EventPlaybook = LoadedPlaybook & { readonly rule: EventRule };

function isEventPlaybook(playbook: LoadedPlaybook): playbook is EventPlaybook {
  return "kinds" in playbook.rule;
}

/** Counts events for a rule, and returns the windows that are full, by subject. */
function countEvents(
  windows: WindowMap<readonly Involved[]>,
  playbook: EventPlaybook,
  events: readonly IntakeEvent[],
  now: Instant,
): readonly (readonly Involved[])[] {
  const { rule } = playbook;
  const start = now - rule.windowMs * MICROS_PER_MS;
  // An event reported long after it occurred must not block anybody now.
  const recent = events.filter(
    ({ kind, occurredAt }) => rule.kinds.includes(kind) && occurredAt > start,
  );
  const added = new Map<string, Involved[]>();
  for (const event of recent) {
    for (const [subject, one] of involvedIn(event, playbook)) {
      const others = added.get(subject);
      if (others) others.push(one);
      else added.set(subject, [one]);
    }
  }
  return [...added].flatMap(([subject, ones]) => {
    const key = `${playbook.id}/${subject}`;
    const { window, full } = fill(windows.get(key) ?? [], ones, rule, now);
    windows.set(key, window);
    return full ? [full] : [];
  });
}

/** Adds events to a window; `full` is the window when it was last full, if ever. */
function fill(
  before: readonly Involved[],
  added: readonly Involved[],
  rule: EventRule,
  now: Instant,
): { readonly window: readonly Involved[]; readonly full?: readonly Involved[] } {
  // After the clock was set back, entries with a future time count as new.
  const untilNow = (one: Involved): Involved =>
    one.occurredAt > now ? { ...one, occurredAt: now } : one;
  let window = before.map(untilNow);
  let newest = window.reduce((latest, one) => Math.max(latest, one.occurredAt), 0);
  let full: { readonly window: readonly Involved[]; readonly size: number } | undefined;
  for (const one of added.map(untilNow)) {
    window.push(one);
    newest = Math.max(newest, one.occurredAt);
    const start = newest - rule.windowMs * MICROS_PER_MS;
    // A new list, so that the full one remains unchanged.
    if (window.some(({ occurredAt }) => occurredAt <= start) || window.length > MAX_WINDOW)
      window = window.filter(({ occurredAt }) => occurredAt > start).slice(-MAX_WINDOW);
    if (isReached(rule, window.length)) full = { window, size: window.length };
  }
  return { window, ...(full && { full: full.window.slice(0, full.size) }) };
}

/**
 * Returns the parts of an event that count for a rule, by subject: a network has only its own
 * addresses.
 */
function involvedIn(
  { occurredAt, kind, highRisk, addresses, accountKeys, account, mailbox }: IntakeEvent,
  { rule, response }: EventPlaybook,
): ReadonlyMap<string, Involved> {
  const involved = { occurredAt, kind, highRisk, addresses, accountKeys, account };
  if (rule.per === "application") return new Map([["", involved]]);
  if (rule.per === "account") return new Map(mailbox === undefined ? [] : [[mailbox, involved]]);
  const networks = new Map<string, string[]>();
  for (const ip of addresses) {
    const network = networkOf(ip, response.ipv6Prefix);
    networks.set(network, [...(networks.get(network) ?? []), ip]);
  }
  return new Map([...networks].map(([network, ips]) => [network, { ...involved, addresses: ips }]));
}

function withoutAllowed(
  { networks, identifiers }: NamedTargets,
  { isAllowed = () => false }: PlaybookContext,
): NamedTargets {
  return {
    networks: networks.filter((network) => !isAllowed("network", network)),
    identifiers: identifiers.filter(
      (one) => !Object.values(one).some((account) => isAllowed("account", account)),
    ),
  };
}

/**
 * Merges targets, except those for which a response of the playbook is still in effect, and those that
 * are blocked for longer: a block list replaces the remaining duration, so the response would shorten
 * the block.
 */
function withoutBlocked(
  { endings, blocks }: { endings: WindowMap<Instant>; blocks: WindowMap<BlockPeriod> },
  playbook: LoadedPlaybook,
  named: readonly NamedTargets[],
  now: Instant,
): NamedTargets {
  const ending = now + playbook.response.durationMs * MICROS_PER_MS;
  // A time that is too late was set before the clock was set back.
  const isBlockedLonger = (key: string): boolean => {
    const { since, until } = blocks.get(key) ?? { since: 0, until: 0 };
    return since <= now && until > ending;
  };
  const isNew = (target: string, part: Partial<NamedTargets>): boolean => {
    const endsAt = endings.get(`${playbook.id}/${target}`) ?? 0;
    return (endsAt <= now || endsAt > ending) && !blockKeysOf(part).some(isBlockedLonger);
  };
  const networks = new Set(named.flatMap((one) => one.networks));
  const identifiers = new Map(
    named.flatMap((one) => one.identifiers.map((each) => [JSON.stringify(each), each] as const)),
  );
  return {
    networks: [...networks].filter((network) => isNew(network, { networks: [network] })),
    identifiers: [...identifiers].flatMap(([text, one]) =>
      isNew(text, { identifiers: [one] }) ? [one] : [],
    ),
  };
}

function respond(
  playbook: LoadedPlaybook,
  named: NamedTargets,
  { application, now }: PlaybookContext,
): PlaybookAction {
  const payload = securityResponse(playbook, application, named, now);
  const stored: StoredResponse = {
    id: payload.id,
    applicationId: application.id,
    playbookId: playbook.id,
    subject: targetKeys(payload)[0]!,
    createdAt: now,
    endsAt: now + playbook.response.durationMs * MICROS_PER_MS,
    payload: { ...payload },
  };
  return { payload, stored };
}

/** Splits targets into responses of limited size; without targets there is no response. */
function inParts({ networks, identifiers }: NamedTargets): readonly NamedTargets[] {
  const length = Math.ceil(Math.max(networks.length, identifiers.length) / MAX_TARGETS);
  return Array.from({ length }, (_, index) => {
    const range = [index * MAX_TARGETS, (index + 1) * MAX_TARGETS] as const;
    return { networks: networks.slice(...range), identifiers: identifiers.slice(...range) };
  });
}

function targetKeys({ properties }: CompleteResponse): string[] {
  return [
    ...properties.ips.map(({ ip_cidr }) => ip_cidr),
    ...properties.user_identifiers.map((identifier) => JSON.stringify(identifier)),
  ];
}
