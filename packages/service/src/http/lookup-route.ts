import type { IncomingMessage, ServerResponse } from "node:http";
import { type Assessment, isRiskGateError, RiskGateError, type RiskLookup } from "@riskgate/core";
import { limitTime } from "@riskgate/core/internal";
import type { LookupAnswer, LookupObserver, LookupResult } from "../lookups/answered-lookup.js";
import { sandboxAnswer } from "../lookups/sandbox-answer.js";
import type { Authenticator } from "./authenticator.js";
import {
  type ErrorBody,
  errorBody,
  failureBody,
  RATE_LIMITED,
  TOO_MANY_WRONG,
  UNAUTHORIZED,
  UNAVAILABLE,
} from "./error-body.js";
import { KINDS } from "./lookup-kind.js";
import { decodeSegment, type LookupPath, readLookupPath } from "./lookup-path.js";
import { applyFault } from "./sandbox/sandbox-fault.js";
import type { RequestLimits } from "./request-limits.js";
import { sendError, sendJson } from "./send-json.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export interface LookupRouteParts {
  readonly lookupOf: (applicationId: string) => RiskLookup;
  readonly authenticator: Authenticator;
  readonly wrongCredentials: WrongCredentials;
  readonly limits: RequestLimits;
  readonly onAnswered: LookupObserver;
  readonly nowMs: () => number;
  /** Time limit for a response; default 900. */
  readonly limitMs?: number;
}

/** Handles a request and returns true, or ignores it and returns false. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Time limit for reading the key and the ledger together: clients wait a second or two. */
const LIMIT_MS = 900;

const ALLOW = "GET, HEAD";
const METHOD_NOT_ALLOWED = errorBody(405, `Use ${ALLOW}`);

/**
 * Serves `GET /v1/emails/{email}` and `GET /v1/ips/{ip}`. Source: specification, Endpoints.
 *
 * It runs before the framework, whose router would decode the identifier too early.
 */
export function createLookupRoute(parts: LookupRouteParts): RequestHandler {
  const { lookupOf, authenticator, wrongCredentials, limits, onAnswered, nowMs } = parts;
  const { limitMs = LIMIT_MS } = parts;

  const answer = async (
    { type, segment }: LookupPath,
    { socket, headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<LookupAnswer> => {
    const inTime = createLimit(limitMs);
    const application = await inTime(authenticator.authenticate(socket, headers["x-api-key"]));
    if (!application) {
      // Counted after the check: a valid key is accepted whatever else its address has sent.
      const waitSeconds = await wrongCredentials.count(socket.remoteAddress);
      if (waitSeconds === 0) return refuse(response, "unauthorized", UNAUTHORIZED);
      return refuse(response, "unauthorized", TOO_MANY_WRONG, waitSeconds);
    }
    const isSandbox = application.kind === "sandbox";
    const isLimited = isSandbox || application.keyQuota;
    const waitSeconds = isLimited ? await limits(application, response, true) : 0;
    if (waitSeconds > 0) return refuse(response, "rate_limited", RATE_LIMITED, waitSeconds);

    const kind = KINDS[type];
    const identifier = decodeSegment(segment);
    if (identifier === undefined) return refuse(response, "bad_request", kind.invalid);
    const lookup = lookupOf(application.id);
    const asked = kind.peek(lookup, identifier)?.assessment ?? kind.lookup(lookup, identifier);
    let assessment: Assessment;
    try {
      assessment = await inTime(asked);
    } catch (error) {
      const isInvalid = isRiskGateError(error) && error.code === "INVALID_ARGUMENT";
      if (isInvalid) return refuse(response, "bad_request", kind.invalid);
      return refuse(response, "failed", UNAVAILABLE);
    }

    const magic = isSandbox ? sandboxAnswer(type, identifier) : undefined;
    const known = magic ? { ...assessment, ...magic.assessment } : assessment;
    const text = JSON.stringify(kind.bodyOf(identifier, known));
    if (magic && "fault" in magic) {
      applyFault(response, magic.fault, text);
      return { result: "sandbox_fault" };
    }
    sendJson(response, 200, text);
    const received = { applicationId: application.id, identifier, score: known.risk_score };
    return { result: "ok", received };
  };

  const fail = (response: ServerResponse, error: unknown): LookupAnswer => {
    if (response.headersSent) response.destroy();
    else sendError(response, failureBody(error));
    return { result: "failed" };
  };

  return (request, response) => {
    const path = readLookupPath(request.url ?? "");
    if (path === undefined) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      sendError(response.setHeader("allow", ALLOW), METHOD_NOT_ALLOWED);
      return true;
    }
    const startedMs = nowMs();
    void answer(path, request, response)
      .catch((error: unknown) => fail(response, error))
      .then(({ result, received }) => {
        onAnswered({ type: path.type, result, received, durationMs: nowMs() - startedMs });
      });
    return true;
  };
}

function refuse(
  response: ServerResponse,
  result: LookupResult,
  body: ErrorBody,
  waitSeconds?: number,
): LookupAnswer {
  if (waitSeconds !== undefined) response.setHeader("retry-after", String(waitSeconds));
  sendError(response, body);
  return { result };
}

/** Creates a time limit that several waits share. A value that is not a promise is returned as it is. */
function createLimit(ms: number): <T>(value: T | Promise<T>) => T | Promise<T> {
  const startedMs = performance.now();
  return (value) => {
    if (!(value instanceof Promise)) return value;
    const leftMs = Math.max(1, startedMs + ms - performance.now());
    return limitTime(value, leftMs, tooLate, true);
  };
}

function tooLate(): never {
  throw new RiskGateError("STORE_FAILED", "the database did not respond in time", {
    hint: "Send the lookup again after a moment",
  });
}
