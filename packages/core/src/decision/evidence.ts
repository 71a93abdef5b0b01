import type { Assessment, EmailAssessment, IpAssessment } from "../model/assessment.js";
import { isAboutAnother } from "../lookup/assessment-check.js";
import { isScore } from "../model/score.js";
import { startDeadline } from "../base/time-limit.js";
import type { Evidence, EvidencePair, Failed, Fault } from "../model/decision.js";
import { UNUSABLE } from "../model/fact.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { LookupOptions, RiskLookup } from "../model/lookup.js";
import { isStale } from "../lookup/stale-answer.js";
import { isAboutIdentifier } from "../lookup/upstream-status.js";

const TIMED_OUT: Failed = Object.freeze({ state: "failed", fault: "timeout" });

/** Cached evidence, or the identifier to look up. */
export interface Findings {
  readonly ip: Evidence<IpAssessment> | string;
  readonly email: Evidence<EmailAssessment> | string;
}

/** Evidence on both identifiers, and the errors of failed lookups, without duplicates. */
export interface Collected extends EvidencePair {
  readonly errors: Iterable<RiskGateError | undefined>;
}

interface Answer<T> {
  readonly evidence: Evidence<T>;
  readonly error?: RiskGateError;
}

/**
 * Looks up both identifiers concurrently, under one deadline. When it expires, evidence that has
 * arrived is used, missing evidence counts as timed out, and the lookups are aborted.
 * @throws {RiskGateError} ABORTED if the signal fires.
 */
export async function collectEvidence(
  lookup: RiskLookup,
  findings: Findings,
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<Collected> {
  const lookups = new AbortController();
  const options: LookupOptions = { signal: lookups.signal, timeoutMs: budgetMs };
  const ip = answerOf(lookup, "lookupIp", findings.ip, options);
  const email = answerOf(lookup, "lookupEmail", findings.email, options);

  let expire!: (answer: Answer<never>) => void;
  let fail!: (error: RiskGateError) => void;
  const expiry = new Promise<Answer<never>>((resolve, reject) => {
    expire = resolve;
    fail = reject;
  });
  // Started after the lookups, so that a lookup's own deadline and stale answer come first.
  const stopDeadline = startDeadline(budgetMs, () => {
    const error = new RiskGateError("TIMEOUT", "the lookups did not finish within `budgetMs`");
    expire({ evidence: TIMED_OUT, error });
    lookups.abort(error);
  });
  const onAbort = (): void => {
    const error = new RiskGateError("ABORTED", "the caller aborted the decision");
    fail(error);
    lookups.abort(error);
  };
  signal?.addEventListener("abort", onAbort);
  try {
    const answers = await Promise.all([Promise.race([ip, expiry]), Promise.race([email, expiry])]);
    const [{ evidence: aboutIp, error }, { evidence: aboutEmail, error: emailError }] = answers;
    return { ip: aboutIp, email: aboutEmail, errors: new Set([error, emailError]) };
  } finally {
    stopDeadline();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Converts the result of any lookup to evidence. Never rejects. */
async function answerOf<T extends Assessment>(
  lookup: RiskLookup,
  name: "lookupIp" | "lookupEmail",
  part: Evidence<T> | string,
  options: LookupOptions,
): Promise<Answer<T>> {
  if (typeof part !== "string") return { evidence: part };
  try {
    const assessment = (await lookup[name](part, options)) as T;
    // An application's lookup may return anything; only a valid score counts.
    if (!isScore((assessment as T | null | undefined)?.risk_score)) {
      throw new RiskGateError(
        "INVALID_RESPONSE",
        "expected a `risk_score` from 0 to 100, got none from the lookup",
      );
    }
    if (isAboutAnother(assessment, name === "lookupIp" ? "ip" : "email", part)) {
      throw new RiskGateError(
        "INVALID_RESPONSE",
        "expected an assessment of the requested identifier, got one of a different identifier",
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
