import { setImmediate as nextTurn } from "node:timers/promises";
import { isRiskGateError } from "@riskgate/core";
import { emailProblem } from "@riskgate/core/address";
import { readEvent } from "../detection/events/read-event.js";
import type { RecordedEvent } from "../model/event.js";
import type { Clock, Instant } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import {
  factsOfEmail,
  factsOfIp,
  type PlainExplanations,
  type ScoredFacts,
} from "./engine-with-rules.js";
import { readServiceRules, type ServiceRules } from "./operator-rule-set.js";

interface ChangedScore {
  readonly type: "ip" | "email";
  readonly identifier: string;
  readonly from: number;
  readonly to: number;
  /** Name of the operator rule that sets the score now and after the change; null for none. */
  readonly fromRule: string | null;
  readonly toRule: string | null;
}

/** Scores that operator rules would set for addresses and emails in recent events. */
interface OperatorRuleDryRunResult {
  readonly since: Instant;
  /** Events whose addresses and emails were looked up. */
  readonly events: number;
  /** True if there were more events, of which only the newest were used. */
  readonly isPartial: boolean;
  readonly addresses: number;
  readonly emails: number;
  /** Number of addresses and emails whose score would change. */
  readonly changed: number;
  /** Number of addresses and emails that each rule matches, in the order of the rules. */
  readonly rules: readonly { readonly name: string; readonly holds: number }[];
  /** Changed scores from the newest events, newest first. */
  readonly examples: readonly ChangedScore[];
}

/**
 * Tries operator rules on the addresses and emails in recent events with their current scores, and
 * changes nothing. Rejects with INVALID_ARGUMENT for invalid rules.
 */
export type OperatorRuleDryRun = (
  value: unknown,
  days: number,
) => Promise<OperatorRuleDryRunResult>;

export interface OperatorRuleDryRunParts {
  readonly storage: Pick<Storage, "events">;
  /** Returns the engine of an application, without operator rules. */
  readonly plain: (applicationId: string) => PlainExplanations;
  /** The operator rules in use. */
  readonly rules: Pick<ServiceRules, "apply">;
  readonly clock: Clock;
}

/** Maximum number of events in one run, which takes less than a second. */
const MAX_EVENTS = 10_000;
/** Events read at a time. */
const PAGE = 500;
const MAX_EXAMPLES = 100;
const DAY = 86_400_000_000;

export function createOperatorRuleDryRun(parts: OperatorRuleDryRunParts): OperatorRuleDryRun {
  const { storage, plain, rules: current, clock } = parts;
  const scored = {
    ip: async (ip: string, applicationId: string): Promise<ScoredFacts> =>
      factsOfIp((await plain(applicationId).explainIp(ip)).assessment, ip),
    email: async (email: string, applicationId: string): Promise<ScoredFacts> =>
      factsOfEmail((await plain(applicationId).explainEmail(email)).assessment, email),
  };

  return async (value, days) => {
    const draft = readServiceRules(value);
    const holds = new Map(draft.list().map(({ name }) => [name, 0]));
    const since = clock() - days * DAY;
    const seen = { ip: new Set<string>(), email: new Set<string>() };
    const examples: ChangedScore[] = [];
    let changed = 0;
    // An identifier has the score that its newest reporter receives.
    const tryOn = async (
      type: ChangedScore["type"],
      identifier: string,
      reporter: string,
    ): Promise<void> => {
      if (seen[type].has(identifier)) return;
      seen[type].add(identifier);
      const facts = await scored[type](identifier, reporter);
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
        for (const ip of ips) await tryOn("ip", ip, event.applicationId);
        for (const email of emails) await tryOn("email", email, event.applicationId);
      }
      events += page.length;
      const last = page.at(-1);
      if (page.length < PAGE || !last) break;
      isPartial = events >= MAX_EVENTS;
      if (isPartial) break;
      beforeSeq = last.seq;
      // Lets the process respond to lookups in between.
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

/** Returns no identifiers for an event that was erased. */
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
