import type { Assessment, LookupType } from "../model/assessment.js";
import { assessmentProblem, sealJson } from "./assessment-check.js";
import { RiskGateError } from "../base/errors.js";
import { parseJson } from "./json-body.js";
import { parseRetryAfter } from "./retry-after.js";
import type { Answer } from "./transport.js";

/**
 * Content type of a web page, probably from a different server. Other types are accepted, because
 * only the body matters: test doubles of `fetch` send text/plain, and simple servers send no type.
 */
const PAGE = /html/i;

/** Longest text from the service that an error message quotes. */
const MAX_QUOTE = 200;

/**
 * Creates a deeply frozen assessment from a response with a status from 200 to 299.
 *
 * @param key Normal form of the requested identifier.
 * @throws {RiskGateError} INVALID_RESPONSE, without any text from the body.
 */
export function readAssessment(
  answer: Answer,
  type: LookupType,
  key: string,
  redact: (text: string) => string,
): Assessment {
  const contentType = answer.header("content-type");
  const invalid = (problem: string): RiskGateError =>
    new RiskGateError("INVALID_RESPONSE", `the response is not an assessment: ${problem}`, {
      status: answer.status,
      ...(contentType !== undefined && { contentType: quote(contentType, redact) }),
    });

  if (contentType && PAGE.test(contentType)) throw invalid("expected JSON, given a page");
  if (answer.body.length === 0) throw invalid("expected a JSON object, given nothing");
  const value = parseJson(answer.body);
  const problem = assessmentProblem(value, type, key);
  if (problem) throw invalid(problem);
  return sealJson(value as Assessment);
}

/** Creates the error for a response with a status outside 200 to 299. */
export function statusError(answer: Answer, redact: (text: string) => string): RiskGateError {
  const { status } = answer;
  const given = `given status ${status}`;
  if (status >= 300 && status < 400) {
    return new RiskGateError("REDIRECT_REFUSED", `expected a response, ${given}`, { status });
  }
  if (status === 400) {
    const details = detailsOf(answer.body);
    return new RiskGateError("BAD_REQUEST", `expected the identifier to be accepted, ${given}`, {
      status,
      ...(details !== undefined && { details: quote(details, redact) }),
    });
  }
  if (status === 401) {
    return new RiskGateError("UNAUTHORIZED", `expected the key to be accepted, ${given}`, {
      status,
    });
  }
  const retryAfterMs = parseRetryAfter(answer.header("retry-after"), Date.now());
  return new RiskGateError(
    status === 429 ? "RATE_LIMITED" : "UPSTREAM_STATUS",
    `expected an assessment, ${given}`,
    { status, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  );
}

/** Returns the member `details` of the error body. Source: specification, Errors. */
function detailsOf(body: Uint8Array): string | undefined {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null) return undefined;
  if (!Object.hasOwn(value, "details") || !("details" in value)) return undefined;
  return typeof value.details === "string" ? value.details : undefined;
}

/** Redacted before truncation, so that no partial key remains. */
function quote(text: string, redact: (text: string) => string): string {
  return redact(text).slice(0, MAX_QUOTE);
}
