import type { EmailAssessment, IpAssessment } from "../lookup/assessment.js";
import type { Deadlines } from "../base/deadline.js";
import type { Evidence, EvidencePair } from "./decision.js";
import { RiskGateError } from "../base/errors.js";
import { answerOf, type Answer } from "./evidence.js";
import type { RiskLookup } from "../lookup/lookup.js";

/** What to collect: evidence that is known already, or the identifier to ask about. */
export interface Wanted {
  readonly ip: Evidence<IpAssessment> | string;
  readonly email: Evidence<EmailAssessment> | string;
}

/** Evidence on both identifiers, and the first error behind a part that is missing. */
export interface Collected extends EvidencePair {
  readonly error: RiskGateError | undefined;
}

/**
 * Ask for both identifiers at once, under one deadline. When it passes, what has arrived is kept and
 * what has not is a time-out; the lookups are told that nobody waits for them.
 *
 * @throws {RiskGateError} ABORTED when the signal ends it.
 */
export function collectEvidence(
  lookup: RiskLookup,
  wanted: Wanted,
  deadlines: Deadlines,
  signal: AbortSignal | undefined,
): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const abort = new AbortController();
    let error: RiskGateError | undefined;
    let ip = typeof wanted.ip === "string" ? undefined : wanted.ip;
    let email = typeof wanted.email === "string" ? undefined : wanted.email;

    const end = (reason?: RiskGateError): void => {
      stop();
      signal?.removeEventListener("abort", onAbort);
      if (reason) abort.abort(reason);
    };
    const settle = (): void => {
      if (!ip || !email) return;
      end();
      resolve({ ip, email, error });
    };
    const stop = deadlines.start(() => {
      const late = new RiskGateError("TIMEOUT", "the lookups did not answer within `budgetMs`");
      const timedOut: Evidence<never> = { state: "failed", fault: "timeout" };
      error ??= late;
      end(late);
      resolve({ ip: ip ?? timedOut, email: email ?? timedOut, error });
    });
    const onAbort = (): void => {
      const aborted = new RiskGateError("ABORTED", "the caller ended the decision");
      end(aborted);
      reject(aborted);
    };
    signal?.addEventListener("abort", onAbort);

    const options = { signal: abort.signal };
    const take = <T>(answer: Answer<T>): Evidence<T> => {
      error ??= answer.error;
      return answer.evidence;
    };
    if (typeof wanted.ip === "string") {
      const asked = wanted.ip;
      void answerOf(async () => lookup.lookupIp(asked, options)).then((answer) => {
        ip = take(answer);
        settle();
      });
    }
    if (typeof wanted.email === "string") {
      const asked = wanted.email;
      void answerOf(async () => lookup.lookupEmail(asked, options)).then((answer) => {
        email = take(answer);
        settle();
      });
    }
    settle();
  });
}
