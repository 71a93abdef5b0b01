import { setImmediate as nextTurn } from "node:timers/promises";
import { isRiskGateError } from "@riskgate/core";
import { emailProblem } from "@riskgate/core/address";
import type { Engine } from "@riskgate/engine";
import { readEvent } from "../detection/events/read-event.js";
import type { RecordedEvent } from "../model/event.js";
import type { Clock, Instant } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { factsOfEmail, factsOfIp, type ScoredFacts } from "./ruled-engine.js";
import { readServiceRules, type ServiceRules } from "./service-rules.js";

/** A score that would be another one. */
interface ChangedScore {
  readonly type: "ip" | "email";
  readonly identifier: string;
  readonly from: number;
  readonly to: number;
  /** Name of the rule that sets the score now, and would then; null for none. */
  readonly fromRule: string | null;
  readonly toRule: string | null;
}

/** What rules would make of the addresses and emails of recent events. */
interface OperatorRuleDryRunResult {
  readonly since: Instant;
  /** Events whose addresses and emails were looked up. */
  readonly events: number;
  /** Whether there were more: only the newest were taken. */
  readonly isPartial: boolean;
  readonly addresses: number;
  readonly emails: number;
  /** How many of both have another score. */
  readonly changed: number;
  /** How many each rule holds for, in the order of the rules. */
  readonly rules: readonly { readonly name: string; readonly holds: number }[];
  /** Those of the newest events, newest first. */
  readonly examples: readonly ChangedScore[];
}

/**
 * Tries rules on the addresses and emails of the last days' events, as they are scored now; nothing
 * is changed. Rejects with INVALID_ARGUMENT for rules that cannot be used.
 */
export type OperatorRuleDryRun = (
  value: unknown,
  days: number,
) => Promise<OperatorRuleDryRunResult>;

/** What rules are tried with. */
export interface OperatorRuleDryRunParts {
  readonly storage: Pick<Storage, "events">;
  /** Scores without rules. */
  readonly engine: Pick<Engine, "explainIp" | "explainEmail">;
  /** The rules in use. */
  readonly rules: Pick<ServiceRules, "apply">;
  readonly clock: Clock;
}

/** Most events of one run: a part of a second. */
const MAX_EVENTS = 10_000;
/** Events read at a time. */
const PAGE = 500;
const MAX_EXAMPLES = 100;
const DAY = 86_400_000_000;

/** Creates the dry run of rules. */
export function createOperatorRuleDryRun(parts: OperatorRuleDryRunParts): OperatorRuleDryRun {
  const { storage, engine, rules: current, clock } = parts;
  const scored = {
    ip: (ip: string): ScoredFacts => factsOfIp(engine.explainIp(ip).assessment),
    email: (email: string): ScoredFacts =>
      factsOfEmail(engine.explainEmail(email).assessment, email),
  };

  return async (value, days) => {
    const draft = readServiceRules(value);
    const holds = new Map(draft.list().map(({ name }) => [name, 0]));
    const since = clock() - days * DAY;
    const seen = { ip: new Set<string>(), email: new Set<string>() };
    const examples: ChangedScore[] = [];
    let changed = 0;
    const tryOn = (type: ChangedScore["type"], identifier: string): void => {
      if (seen[type].has(identifier)) return;
      seen[type].add(identifier);
      const facts = scored[type](identifier);
      const [before, after] = [current.apply(facts), draft.apply(facts)];
      if (after) holds.set(after.rule.name, holds.get(after.rule.name)! + 1);
      const [from, to] = [before?.score ?? facts.score, after?.score ?? facts.score];
      if (from === to) return;
      changed++;
      if (examples.length >= MAX_EXAMPLES) return;
      const [fromRule, toRule] = [before?.rule.name ?? null, after?.rule.name ?? null];
      examples.push({ type, identifier, from, to, fromRule, toRule });
    };

    let events = 0;
    let isPartial = false;
    for (let beforeSeq = Number.MAX_SAFE_INTEGER; ;) {
      const page = await storage.events.list({ since, limit: PAGE, beforeSeq });
      for (const event of page) {
        const { ips, emails } = identifiersOf(event, clock());
        for (const ip of ips) tryOn("ip", ip);
        for (const email of emails) tryOn("email", email);
      }
      events += page.length;
      const last = page.at(-1);
      if (page.length < PAGE || !last) break;
      isPartial = events >= MAX_EVENTS;
      if (isPartial) break;
      beforeSeq = last.seq;
      // Lookups are answered in between.
      await nextTurn();
    }
    return {
      since,
      events,
      isPartial,
      addresses: seen.ip.size,
      emails: seen.email.size,
      changed,
      rules: [...holds].map(([name, count]) => ({ name, holds: count })),
      examples,
    };
  };
}

/** None of an event that was erased. */
function identifiersOf(
  { payload, receivedAt }: RecordedEvent,
  now: Instant,
): { readonly ips: readonly string[]; readonly emails: readonly string[] } {
  try {
    const { ips, accountKeys } = readEvent(payload, Math.max(now, receivedAt));
    return {
      ips: ips.map(({ address }) => address),
      emails: accountKeys
        .map(({ value }) => value)
        .filter((value) => value.includes("@") && emailProblem(value) === undefined),
    };
  } catch (error) {
    if (isRiskGateError(error)) return { ips: [], emails: [] };
    throw error;
  }
}
