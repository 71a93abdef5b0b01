import type { EmailAssessment, IpAssessment } from "../lookup/assessment.js";
import { monotonicMs } from "../base/clock.js";
import { collectEvidence } from "./collect.js";
import { createDeadlines } from "../base/deadline.js";
import type { Decision, Evidence, EvidencePair, Failed, Skipped } from "./decision.js";
import { decisionChannel } from "./decision-channel.js";
import { emailProblem } from "../address/email-address.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { ABSENT, NOT_GIVEN, NOT_PUBLIC, OVERRIDE, sharedEvidence, UNUSABLE } from "./evidence.js";
import { normalizeIp } from "../address/ip-address.js";
import type { RiskLookup } from "../lookup/lookup.js";
import { invalid, optionalFunction, positiveInteger } from "../base/option.js";
import { createOverride, type OverrideOptions } from "./override.js";
import { createPolicy, type PolicyOptions } from "./policy.js";
import { isPublicIp } from "../address/special-purpose.js";

/** Options of a gate. */
export interface GateOptions extends PolicyOptions, OverrideOptions {
  /** Who answers: a client, an engine, or any other lookup. */
  readonly lookup: RiskLookup;
  /** Time for both lookups together, in milliseconds; default 800. */
  readonly budgetMs?: number;
  /** Look up addresses that are not globally reachable too; default false. */
  readonly lookupPrivateIps?: boolean;
  /** Told once for each decision that lacks evidence; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** What is known about a request. */
export interface Facts {
  readonly ip?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** Options of one decision. */
export interface DecideOptions {
  /** Ends the decision, with code `ABORTED`: nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
  /** Gates that decide about the same object, such as a request, share what one of them looked up. */
  readonly scope?: object;
}

/** Decides what should happen to a request. */
export interface Gate {
  /**
   * Decide, with lookups where needed.
   *
   * @throws {RiskGateError} ABORTED when the signal ends it, and nothing else.
   */
  decide(facts: Facts, options?: DecideOptions): Promise<Decision>;
  /** Decide with what is in memory, or give undefined where a lookup is needed. */
  peek(facts: Facts): Decision | undefined;
}

/**
 * Make a gate: the policy that turns the scores of an IP address and an email address into one
 * decision.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createGate(options: GateOptions): Gate {
  const { lookup, lookupPrivateIps = false } = options;
  if (typeof lookup?.lookupIp !== "function" || typeof lookup.lookupEmail !== "function") {
    throw invalid("lookup", "a client, an engine or another RiskLookup", lookup);
  }
  const policy = createPolicy(options);
  const { decide: own, ...thresholds } = options;
  const fallback = own ? createPolicy(thresholds) : policy;
  const override = createOverride(options);
  const report = createErrorReport(optionalFunction("onError", options.onError));
  const deadlines = createDeadlines(
    positiveInteger("budgetMs", options.budgetMs, 800),
    monotonicMs,
  );

  /** Evidence that needs no lookup, or undefined. */
  const knownIp = (ip: Facts["ip"]): Evidence<IpAssessment> | undefined => {
    if (ip === undefined || ip === null || ip === "") return ABSENT;
    if (typeof ip !== "string") return notText(ip);
    const hit = lookup.peekIp?.(ip);
    // Only an answer that calls the address private can be for one that should not be looked up.
    if (hit && (lookupPrivateIps || !hit.assessment.is_private || isPublicIp(ip))) return hit;
    const address = normalizeIp(ip);
    if (address === undefined) return UNUSABLE;
    return lookupPrivateIps || isPublicIp(address) ? undefined : NOT_PUBLIC;
  };
  const knownEmail = (email: Facts["email"]): Evidence<EmailAssessment> | undefined => {
    if (email === undefined || email === null || email === "") return ABSENT;
    if (typeof email !== "string") return notText(email);
    return lookup.peekEmail?.(email) ?? (emailProblem(email) ? UNUSABLE : undefined);
  };

  const publish = (decision: Decision): Decision => {
    if (decisionChannel.hasSubscribers) {
      const { outcome, enforced, because, score } = decision;
      decisionChannel.publish({ outcome, enforced, because, score });
    }
    return decision;
  };
  const judge = (evidence: EvidencePair): Decision => {
    try {
      return publish(policy.judge(evidence));
    } catch (cause) {
      report(new RiskGateError("HOOK_FAILED", "the policy `decide` failed", { cause }));
      return publish(fallback.judge(evidence));
    }
  };
  const overridden = (facts: Facts): Decision | undefined => {
    const verdict = override?.(textOf(facts.ip), textOf(facts.email));
    if (!verdict) return undefined;
    const { enforced } = policy;
    return publish({ ...verdict, enforced, score: null, ip: OVERRIDE, email: OVERRIDE });
  };

  const peek = (facts: Facts): Decision | undefined => {
    const decision = override && overridden(facts);
    if (decision) return decision;
    const ip = knownIp(facts.ip);
    if (!ip) return undefined;
    const email = knownEmail(facts.email);
    return email && judge({ ip, email });
  };

  const ask = async (facts: Facts, { signal, scope }: DecideOptions): Promise<Decision> => {
    const earlier = scope && sharedEvidence(scope, lookup);
    const ip = normalizeIp(facts.ip) ?? "";
    const email = textOf(facts.email) ?? "";
    const collected = await collectEvidence(
      lookup,
      {
        ip: knownIp(facts.ip) ?? earlier?.get(`ip ${ip}`) ?? ip,
        email: knownEmail(facts.email) ?? earlier?.get(`email ${email}`) ?? email,
      },
      deadlines,
      signal,
    );
    // What one gate skips by its own options, another may ask about.
    if (collected.ip.state !== "skipped") earlier?.set(`ip ${ip}`, collected.ip as Evidence<never>);
    if (collected.email.state !== "skipped") {
      earlier?.set(`email ${email}`, collected.email as Evidence<never>);
    }
    if (collected.error) report(collected.error);
    return judge({ ip: collected.ip, email: collected.email });
  };

  return {
    peek,
    async decide(facts, options = {}) {
      if (options.signal?.aborted) {
        throw new RiskGateError("ABORTED", "the caller ended the decision");
      }
      return peek(facts) ?? ask(facts, options);
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Evidence for an identifier that is no text. Only our own constant is taken as it is: an object that
 * merely looks like evidence may come from a request.
 */
function notText(value: unknown): Skipped | Failed {
  return value === NOT_GIVEN ? NOT_GIVEN : UNUSABLE;
}
