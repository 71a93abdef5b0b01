import type { Assessment, EmailAssessment, IpAssessment, LookupType } from "../model/assessment.js";
import { isAboutAnother, isScore } from "../lookup/assessment-check.js";
import { startDeadline } from "../base/deadline.js";
import type { Evidence, EvidencePair, Failed, Fault, Skipped } from "../model/decision.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { LookupOptions, RiskLookup } from "../model/lookup.js";
import { isStale } from "../lookup/stale.js";
import { isAboutIdentifier } from "../lookup/upstream-status.js";

export const ABSENT: Skipped = Object.freeze({ state: "skipped", why: "absent" });
export const NOT_PUBLIC: Skipped = Object.freeze({ state: "skipped", why: "not_public" });
export const UNUSABLE: Skipped = Object.freeze({ state: "skipped", why: "unusable" });
export const OVERRIDE: Skipped = Object.freeze({ state: "skipped", why: "override" });

/** Takes the place of an identifier that code of the application failed to give. */
export const NOT_GIVEN: Failed = Object.freeze({ state: "failed", fault: "unreadable" });

const TIMED_OUT: Failed = Object.freeze({ state: "failed", fault: "timeout" });

/** What is found without a lookup: evidence, or the identifier that is left to look up. */
export interface Findings {
  readonly ip: Evidence<IpAssessment> | string;
  readonly email: Evidence<EmailAssessment> | string;
}

/** Evidence on both identifiers, with the errors behind what failed; one that ended both comes once. */
export interface Collected extends EvidencePair {
  readonly errors: Iterable<RiskGateError>;
}

/** Result of one lookup. */
interface Answer<T> {
  readonly evidence: Evidence<T>;
  readonly error?: RiskGateError;
}

/**
 * Look up what is left to look up, both identifiers at once, under one deadline. When it expires, what has
 * arrived is kept, the rest has timed out, and the lookups are aborted.
 *
 * @throws {RiskGateError} ABORTED when the signal ends it.
 */
export async function collectEvidence(
  lookup: RiskLookup,
  findings: Findings,
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<Collected> {
  const lookups = new AbortController();
  const options: LookupOptions = { signal: lookups.signal, timeoutMs: budgetMs };
  const ip = answerOf("ip", findings.ip, (address) => lookup.lookupIp(address, options));
  const email = answerOf("email", findings.email, (text) => lookup.lookupEmail(text, options));

  let stopWaiting = (): void => {};
  const expiry = new Promise<Answer<never>>((resolve, reject) => {
    // Begun after the lookups: their own deadlines, with what they make of them, come first.
    const stopDeadline = startDeadline(budgetMs, () => {
      const error = new RiskGateError("TIMEOUT", "the lookups did not answer within `budgetMs`");
      resolve({ evidence: TIMED_OUT, error });
      lookups.abort(error);
    });
    const onAbort = (): void => {
      const error = new RiskGateError("ABORTED", "the caller ended the decision");
      reject(error);
      lookups.abort(error);
    };
    signal?.addEventListener("abort", onAbort);
    stopWaiting = () => {
      stopDeadline();
      signal?.removeEventListener("abort", onAbort);
    };
  });
  try {
    const answers = await Promise.all([Promise.race([ip, expiry]), Promise.race([email, expiry])]);
    const [{ evidence: aboutIp, error }, { evidence: aboutEmail, error: emailError }] = answers;
    const errors = new Set([error, emailError].filter((one) => one !== undefined));
    return { ip: aboutIp, email: aboutEmail, errors };
  } finally {
    stopWaiting();
  }
}

/** Turn one lookup, whatever its implementation, into evidence. Never rejects. */
async function answerOf<T extends Assessment>(
  type: LookupType,
  part: Evidence<T> | string,
  ask: (identifier: string) => Promise<T>,
): Promise<Answer<T>> {
  if (typeof part !== "string") return { evidence: part };
  try {
    const assessment = await ask(part);
    // A lookup of the application may answer anything: anything but a score must not count as 0.
    if (!isScore((assessment as T | null | undefined)?.risk_score)) {
      throw new RiskGateError(
        "INVALID_RESPONSE",
        "expected a `risk_score` from 0 to 100, and the lookup gave none",
      );
    }
    if (isAboutAnother(assessment, type, part)) {
      throw new RiskGateError(
        "INVALID_RESPONSE",
        "expected an assessment of what was asked about, and the lookup gave another",
      );
    }
    const source = isStale(assessment) ? "stale" : "live";
    return { evidence: { state: "scored", assessment, source } };
  } catch (cause) {
    const error = isRiskGateError(cause)
      ? cause
      : new RiskGateError("LOOKUP_FAILED", "the lookup failed with its own error", { cause });
    if (error.code === "INVALID_ARGUMENT") return { evidence: UNUSABLE };
    return { evidence: { state: "failed", fault: faultOf(error) }, error };
  }
}

/** The fault that an error of a lookup amounts to. */
function faultOf({ code, status }: RiskGateError): Fault {
  switch (code) {
    case "TIMEOUT":
      return "timeout";
    case "NETWORK":
    case "ABORTED":
      return "network";
    case "RATE_LIMITED":
      return "rate_limited";
    case "UNAUTHORIZED":
      return "unauthorized";
    case "BAD_REQUEST":
    case "REDIRECT_REFUSED":
    case "INVALID_RESPONSE":
    case "RESPONSE_TOO_LARGE":
      return "unreadable";
    case "UPSTREAM_STATUS":
      return isAboutIdentifier(status) ? "unreadable" : "server";
    default:
      return "server";
  }
}

const shared = new WeakMap<object, WeakMap<RiskLookup, Map<string, Evidence<never>>>>();

/** What one lookup has answered about one object so far; it lives as long as the object. */
export function sharedEvidence(scope: object, lookup: RiskLookup): Map<string, Evidence<never>> {
  const byLookup = shared.get(scope) ?? new WeakMap<RiskLookup, Map<string, Evidence<never>>>();
  shared.set(scope, byLookup);
  const evidence = byLookup.get(lookup) ?? new Map<string, Evidence<never>>();
  byLookup.set(lookup, evidence);
  return evidence;
}
