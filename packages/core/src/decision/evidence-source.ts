import { normalizeIp } from "../address/ip-address.js";
import { usableEmail } from "../address/mailbox.js";
import { isPublicIp } from "../address/special-purpose.js";
import { hookError } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { isAboutAnother } from "../lookup/assessment-check.js";
import { isScore } from "../model/score.js";
import type { Assessment, LookupType, Scored } from "../model/assessment.js";
import { isThenable } from "../model/awaitable.js";
import type { Evidence, EvidencePair, Fact } from "../model/decision.js";
import { NOT_PUBLIC, UNUSABLE } from "../model/fact.js";
import type { RiskLookup } from "../model/lookup.js";
import { collectEvidence, type Findings } from "./evidence.js";
import { type LookupOption, openLookup } from "./lookup-option.js";
import { perRequest } from "./per-request.js";

export interface EvidenceSettings {
  readonly lookup: LookupOption["lookup"];
  /** Also look up addresses that are not globally reachable. */
  readonly lookupPrivateIps: boolean;
  readonly report: ErrorHook;
}

/** Collects the evidence on a request, from memory or through lookups. */
export interface EvidenceSource {
  ofIp(ip: Fact): Findings["ip"];
  ofEmail(email: Fact): Findings["email"];
  /**
   * Looks up identifiers that no gate has looked up for this request.
   * @throws {RiskGateError} ABORTED if the signal fires.
   */
  lookUp(
    findings: Findings,
    scope: object | undefined,
    leftMs: number,
    signal: AbortSignal | undefined,
  ): Promise<EvidencePair>;
}

const answersOf = perRequest<object, Map<string, Evidence<never>>>(() => new Map());

export function createEvidenceSource(settings: EvidenceSettings): EvidenceSource {
  const { lookupPrivateIps, report } = settings;
  let lookup = openLookup(settings.lookup, (ready) => (lookup = ready));
  return {
    ofIp(ip) {
      if (typeof ip !== "string") return ip;
      const cached = readCached(lookup, "peekIp", ip, report);
      // Only an assessment with `is_private` can concern an address that must not be looked up.
      if (cached && (lookupPrivateIps || !cached.assessment.is_private || isPublicIp(ip))) {
        return cached;
      }
      const address = normalizeIp(ip);
      if (address === undefined) return UNUSABLE;
      return lookupPrivateIps || isPublicIp(address) ? address : NOT_PUBLIC;
    },
    ofEmail(email) {
      if (typeof email !== "string") return email;
      const address = usableEmail(email);
      if (address === undefined) return UNUSABLE;
      return readCached(lookup, "peekEmail", address, report) ?? address;
    },
    async lookUp({ ip, email }, scope, leftMs, signal) {
      const answers = scope && answersOf(scope, settings.lookup);
      const missing = {
        ip: (typeof ip === "string" && answers?.get(`ip ${ip}`)) || ip,
        email: (typeof email === "string" && answers?.get(`email ${email}`)) || email,
      };
      const found = await collectEvidence(lookup, missing, leftMs, signal);
      if (typeof ip === "string") answers?.set(`ip ${ip}`, found.ip as Evidence<never>);
      if (typeof email === "string") answers?.set(`email ${email}`, found.email as Evidence<never>);
      for (const error of found.errors) if (error) report(error);
      return { ip: found.ip, email: found.email };
    },
  };
}

type Peek = "peekIp" | "peekEmail";

/**
 * Asks a lookup, which may be application code, for a cached assessment. Undefined if it has none
 * or returns anything else: the lookup that follows then decides.
 */
function readCached<P extends Peek>(
  lookup: RiskLookup,
  name: P,
  identifier: string,
  report: ErrorHook,
): ReturnType<NonNullable<RiskLookup[P]>> | undefined {
  let cause: unknown;
  try {
    const found: unknown = lookup[name]?.(identifier);
    const type = name === "peekIp" ? "ip" : "email";
    if (found === undefined || isScored(found, type, identifier)) {
      return found as ReturnType<NonNullable<RiskLookup[P]>>;
    }
    // A promise is too late to use, and must not crash the process if it rejects.
    if (isThenable(found)) found.then(undefined, () => {});
    cause = new TypeError("expected undefined, or an assessment of the identifier with its source");
  } catch (error) {
    cause = error;
  }
  report(hookError(`\`${name}\` of the lookup`, cause));
  return undefined;
}

function isScored(value: unknown, type: LookupType, identifier: string): boolean {
  const { state, assessment } = (value ?? {}) as Partial<Scored<Partial<Assessment>>>;
  return (
    state === "scored" &&
    isScore(assessment?.risk_score) &&
    !isAboutAnother(assessment, type, identifier)
  );
}
