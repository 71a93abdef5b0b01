import { publishDecision } from "../decision/decision-channel.js";
import { checkDecideOptions, checkFacts } from "./decide-arguments.js";
import { type DecisionLog, type KeepDecision, readDecisionLog } from "../log/log-step.js";
import type { Decision, Evidence, EvidencePair, Failed, Skipped } from "../model/decision.js";
import { usableEmail } from "../address/email-address.js";
import { type Awaitable, isThenable } from "../model/awaitable.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import {
  ABSENT,
  collectEvidence,
  type Findings,
  NOT_GIVEN,
  NOT_PUBLIC,
  OVERRIDE,
  sharedEvidence,
  UNUSABLE,
} from "../decision/evidence.js";
import { normalizeIp } from "../address/ip-address.js";
import type { RiskLookup } from "../model/lookup.js";
import { countdown } from "../decision/hook-run.js";
import { type OptionReader, readOptions } from "../base/options.js";
import type { VelocityReading } from "../model/velocity.js";
import { readRules, type RulesOption, type RuleStep } from "../rules/rules-step.js";
import { type Override, type OverrideOptions, readOverride } from "../lists/lists-step.js";
import { type Policy, type PolicyOptions, readPolicy, totalScore } from "../decision/policy.js";
import { peeked } from "../decision/cached-evidence.js";
import { isPublicIp } from "../address/special-purpose.js";
import {
  readVelocityStep,
  type VelocityOption,
  type VelocityStep,
} from "../velocity/velocity-step.js";

/** Options of a gate. */
export interface GateOptions extends PolicyOptions, OverrideOptions, RulesOption, VelocityOption {
  /** Answers the lookups: a client, an engine, or any other lookup. */
  readonly lookup: RiskLookup;
  /** Time for both lookups together, in milliseconds; default 800. */
  readonly budgetMs?: number;
  /** Look up addresses that are not globally reachable too; default false. */
  readonly lookupPrivateIps?: boolean;
  /** Keeps every decision, for a rehearsal of other thresholds (`docs/rehearsal.md`); default none. */
  readonly log?: DecisionLog;
  /** Receives each error behind missing evidence; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** What is known about a request. */
export interface Facts {
  readonly ip?: string | null | undefined;
  readonly email?: string | null | undefined;
  /** Path of the request, for rules; with or without its query. */
  readonly path?: string | null | undefined;
}

/** Options of one decision. */
export interface DecideOptions {
  /** Ends the decision, with code `ABORTED`: its result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /** Gates that decide about the same object, such as a request, share what one of them looked up. */
  readonly scope?: object;
  /** Names the route in the log of decisions, such as `POST /signup`. */
  readonly route?: string | undefined;
}

/** Decides what should happen to a request. */
export interface Gate {
  /**
   * Decide, with lookups where needed.
   *
   * @throws {RiskGateError} ABORTED when the signal ends it, INVALID_ARGUMENT for facts and options
   * that are none, and nothing else.
   */
  decide(facts: Facts, options?: DecideOptions): Promise<Decision>;
  /**
   * Decide from what is in memory, or return undefined where a lookup is needed.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for facts that are none.
   */
  peek(facts: Facts, options?: Pick<DecideOptions, "route">): Decision | undefined;
}

/**
 * Make a gate: the policy that turns the scores of an IP address and an email address into one
 * decision.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createGate(options: GateOptions): Gate {
  const settings = readOptions("createGate", options, readGate);
  const begin = createDecider(settings);
  const keep = (decision: Decision, facts: Facts, { route }: DecideOptions): Decision => {
    settings.keep(decision, facts, () => route);
    return decision;
  };
  return {
    async decide(facts, given = {}) {
      checkFacts(facts);
      checkDecideOptions(given);
      if (given.signal?.aborted) {
        throw new RiskGateError("ABORTED", "the caller ended the decision");
      }
      const begun = begin(facts, given.scope);
      const decision = typeof begun === "function" ? await begun(given) : begun;
      return keep(publishDecision(decision), facts, given);
    },
    peek(facts, given = {}) {
      checkFacts(facts);
      checkDecideOptions(given);
      const begun = begin(facts);
      return typeof begun === "function" ? undefined : keep(publishDecision(begun), facts, given);
    },
  };
}

/** Options of a gate after reading. */
export interface GateSettings {
  readonly lookup: RiskLookup;
  readonly budgetMs: number;
  readonly lookupPrivateIps: boolean;
  readonly report: ErrorHook;
  readonly policy: Policy;
  readonly override: Override | undefined;
  readonly rules: RuleStep | undefined;
  readonly velocity: VelocityStep | undefined;
  readonly keep: KeepDecision;
}

/** @throws {RiskGateError} CONFIG_INVALID for any unusable option. */
export function readGate(options: OptionReader): GateSettings {
  const expected = "a client, an engine or another RiskLookup";
  const lookup = options.object<RiskLookup>("lookup", ["lookupIp", "lookupEmail"], expected);
  const report = createErrorReport(options.function<ErrorHook>("onError"));
  const policy = readPolicy(options, report);
  return {
    lookup: lookup ?? options.refuse("lookup", expected, undefined),
    budgetMs: options.durationMs("budgetMs", 800),
    lookupPrivateIps: options.boolean("lookupPrivateIps", false),
    report,
    policy,
    override: readOverride(options, report),
    rules: readRules(options, report),
    velocity: readVelocityStep(options, report),
    keep: readDecisionLog(options, policy.terms, report),
  };
}

/**
 * Begins a decision, and ends it at once where no lookup is needed.
 *
 * @returns The decision; or the function that looks up what is missing and then decides, with the
 * evidence found so far.
 */
export type Decider = (
  facts: Facts,
  scope?: object,
) => Decision | ((options: LookUpOptions) => Promise<Decision>);

/** Options of a decision that has begun. */
export interface LookUpOptions extends DecideOptions {
  /** What is left of the gate's budget, in milliseconds; by default all of it. */
  readonly leftMs?: number;
}

/** Make the part that a gate and a request gate share; they publish what it decides. */
export function createDecider(settings: GateSettings): Decider {
  const { lookup, budgetMs, lookupPrivateIps, report } = settings;
  const { policy, override, rules, velocity } = settings;

  const aboutIp = (ip: Facts["ip"]): Findings["ip"] => {
    if (ip === undefined || ip === null || ip === "") return ABSENT;
    if (typeof ip !== "string") return notText(ip);
    const hit = peeked(lookup, "peekIp", ip, report);
    // Only an answer that calls the address private can be for one that should not be looked up.
    if (hit && (lookupPrivateIps || !hit.assessment.is_private || isPublicIp(ip))) return hit;
    const address = normalizeIp(ip);
    if (address === undefined) return UNUSABLE;
    return lookupPrivateIps || isPublicIp(address) ? address : NOT_PUBLIC;
  };
  const aboutEmail = (email: Facts["email"]): Findings["email"] => {
    if (email === undefined || email === null || email === "") return ABSENT;
    if (typeof email !== "string") return notText(email);
    const hit = peeked(lookup, "peekEmail", email, report);
    return hit ?? usableEmail(email) ?? UNUSABLE;
  };

  const judge = (evidence: EvidencePair, { email, path }: Facts): Decision => {
    if (rules) {
      const score = totalScore(evidence);
      const ruled = rules.apply(evidence, { address: textOf(email), path: textOf(path) }, score);
      if (ruled) return { ...ruled, enforced: policy.enforced, score, ...evidence };
    }
    return policy.judge(evidence);
  };

  /** Judge with what velocity makes of the request: a promise only where it gives one. */
  const conclude = (
    evidence: EvidencePair,
    facts: Facts,
    scope: object | undefined,
    leftMs: number,
  ): Awaitable<Decision> => {
    if (!velocity) return judge(evidence, facts);
    const who = { email: textOf(facts.email), ip: textOf(facts.ip) };
    const judgeWith = (reading: VelocityReading | undefined): Decision =>
      judge(reading ? { ...evidence, velocity: reading } : evidence, facts);
    const reading = velocity.assess(who, evidence, scope, leftMs);
    return isThenable(reading) ? Promise.resolve(reading).then(judgeWith) : judgeWith(reading);
  };

  const lookUp = async (
    facts: Facts,
    findings: Findings,
    { signal, scope, leftMs = budgetMs }: LookUpOptions,
  ): Promise<Decision> => {
    const left = countdown(leftMs);
    const earlier = scope && sharedEvidence(scope, lookup);
    const { ip, email } = findings;
    const collected = await collectEvidence(
      lookup,
      {
        ip: (typeof ip === "string" && earlier?.get(`ip ${ip}`)) || ip,
        email: (typeof email === "string" && earlier?.get(`email ${email}`)) || email,
      },
      leftMs,
      signal,
    );
    if (typeof ip === "string") earlier?.set(`ip ${ip}`, collected.ip as Evidence<never>);
    if (typeof email === "string") {
      earlier?.set(`email ${email}`, collected.email as Evidence<never>);
    }
    for (const error of collected.errors) report(error);
    return conclude({ ip: collected.ip, email: collected.email }, facts, scope, left());
  };

  return (facts, scope) => {
    const verdict = override?.(textOf(facts.ip), textOf(facts.email));
    if (verdict) {
      const { enforced } = policy;
      return { ...verdict, enforced, score: null, ip: OVERRIDE, email: OVERRIDE };
    }
    const ip = aboutIp(facts.ip);
    const email = aboutEmail(facts.email);
    if (typeof ip === "string" || typeof email === "string") {
      return (options) => lookUp(facts, { ip, email }, options);
    }
    const evidence = { ip, email };
    if (velocity && !velocity.isSync) {
      return async ({ leftMs = budgetMs }) => conclude(evidence, facts, scope, leftMs);
    }
    const concluded = conclude(evidence, facts, scope, budgetMs);
    return isThenable(concluded) ? async () => concluded : concluded;
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Evidence for an identifier that is not text. Only our own constant is taken as it is: an object
 * that merely looks like evidence may come from a request.
 */
function notText(value: unknown): Skipped | Failed {
  return value === NOT_GIVEN ? NOT_GIVEN : UNUSABLE;
}
