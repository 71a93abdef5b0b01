import { isThenable } from "../model/awaitable.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { Assessment, LookupType, Scored } from "../model/assessment.js";
import { isAboutAnother, isScore } from "../lookup/assessment-check.js";
import type { RiskLookup } from "../model/lookup.js";

type Peek = "peekIp" | "peekEmail";

/**
 * Ask a lookup, which may be code of the application, for what is in memory. Undefined where it has
 * nothing or answers something else: the lookup that follows decides then.
 *
 * @param report Receives what is wrong with a peek.
 */
export function peeked<P extends Peek>(
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
    // A promise comes too late, and must not end the process if it rejects.
    if (isThenable(found)) found.then(undefined, () => {});
    cause = new TypeError(
      "expected undefined, or the assessment of what was asked about, with its source",
    );
  } catch (error) {
    cause = error;
  }
  report(new RiskGateError("HOOK_FAILED", `\`${name}\` of the lookup failed`, { cause }));
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
