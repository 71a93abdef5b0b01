import type { IncomingMessage, ServerResponse } from "node:http";
import { type Assessment, isRiskGateError, type RiskLookup } from "@riskgate/core";
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
import type { RecentScores } from "../rehearsal/recent-scores.js";
import type { LookupHistory } from "../lookups/lookup-history.js";
import type { LookupResult, Metrics } from "./metrics.js";
import { applyFault } from "./sandbox/sandbox-fault.js";
import { sandboxAnswer } from "../lookups/sandbox-answer.js";
import type { SandboxLimit } from "./sandbox/sandbox-limit.js";
import { sendError, sendJson } from "./send-json.js";
import type { WrongCredentials } from "./wrong-credentials.js";

/** What lookups are answered with. */
export interface LookupHandlerOptions {
  readonly lookup: RiskLookup;
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
  readonly history: Pick<LookupHistory, "count">;
  readonly scores: Pick<RecentScores, "add">;
  readonly wrongCredentials: WrongCredentials;
  readonly sandboxLimit: SandboxLimit;
  /** Milliseconds on a clock that never jumps. */
  readonly nowMs: () => number;
}

/** How a lookup ended, with the score that was answered. */
interface Answered {
  readonly result: LookupResult;
  readonly score?: number;
}

/** Answers a request and returns true, or returns false and leaves the request alone. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

const ALLOW = "GET, HEAD";
const METHOD_NOT_ALLOWED = errorBody(405, `Use ${ALLOW}`);

/**
 * Answers `GET /v1/emails/{email}` and `GET /v1/ips/{ip}`. Source: specification, Endpoints.
 *
 * It runs in front of the framework, whose router would decode the identifier too early.
 */
export function createLookupHandler(options: LookupHandlerOptions): RequestHandler {
  const { lookup, authenticator, metrics, history, scores } = options;
  const { wrongCredentials, sandboxLimit, nowMs } = options;

  const answer = async (
    { type, segment }: LookupPath,
    { socket, headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answered> => {
    const refuse = (result: LookupResult, body: ErrorBody): Answered => {
      sendError(response, body);
      return { result };
    };

    const application = await authenticator.authenticate(socket, headers["x-api-key"]);
    if (!application) {
      // After the key was looked at: a valid one passes whatever else its address has sent.
      const waitSeconds = await wrongCredentials.count(socket.remoteAddress);
      if (waitSeconds === 0) return refuse("unauthorized", UNAUTHORIZED);
      response.setHeader("retry-after", String(waitSeconds));
      return refuse("unauthorized", TOO_MANY_WRONG);
    }
    const isSandbox = application.kind === "sandbox";
    const waitSeconds = isSandbox ? await sandboxLimit(application) : 0;
    if (waitSeconds > 0) {
      response.setHeader("retry-after", String(waitSeconds));
      return refuse("rate_limited", RATE_LIMITED);
    }

    const kind = KINDS[type];
    const identifier = decodeSegment(segment);
    if (identifier === undefined) return refuse("bad_request", kind.invalid);
    const asked = kind.peek(lookup, identifier)?.assessment ?? kind.lookup(lookup, identifier);
    let assessment: Assessment;
    try {
      assessment = await asked;
    } catch (error) {
      const isInvalid = isRiskGateError(error) && error.code === "INVALID_ARGUMENT";
      return isInvalid ? refuse("bad_request", kind.invalid) : refuse("failed", UNAVAILABLE);
    }

    const magic = isSandbox ? sandboxAnswer(type, identifier) : undefined;
    const known = magic ? { ...assessment, ...magic.assessment } : assessment;
    const text = JSON.stringify(kind.bodyOf(identifier, known));
    if (magic && "fault" in magic) {
      applyFault(response, magic.fault, text);
      return { result: "sandbox_fault" };
    }
    sendJson(response, 200, text);
    scores.add({ applicationId: application.id, type, identifier, score: known.risk_score });
    return { result: "ok", score: known.risk_score };
  };

  const fail = (response: ServerResponse, error: unknown): Answered => {
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
      .then(({ result, score }) => {
        metrics.lookup(path.type, result, nowMs() - startedMs);
        history.count(result, score);
      });
    return true;
  };
}
