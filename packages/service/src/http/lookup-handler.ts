import type { IncomingMessage, ServerResponse } from "node:http";
import { type Assessment, isRiskGateError, type RiskLookup } from "@riskgate/core";
import { applyFault } from "./sandbox/fault.js";
import { sandboxAnswer } from "./sandbox/magic.js";
import type { Application } from "../storage/applications.js";
import type { Authenticator } from "./authenticator.js";
import {
  type ErrorBody,
  errorBody,
  failureBody,
  RATE_LIMITED,
  UNAUTHORIZED,
  UNAVAILABLE,
} from "./error-body.js";
import { KINDS } from "./lookup-kind.js";
import { decodeSegment, type LookupPath, readLookupPath } from "./lookup-path.js";
import type { LookupResult, Metrics } from "./metrics.js";
import { type RateLimit, takeToken, type TokenBucket } from "./rate-limit.js";
import { sendError, sendJson } from "./send-json.js";

/** What lookups are answered with. */
export interface LookupHandlerOptions {
  readonly lookup: RiskLookup;
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
  /** For each sandbox application. */
  readonly rateLimit: RateLimit;
  /** Milliseconds on a clock that never jumps. */
  readonly nowMs: () => number;
}

/** Answers a request, or says false and leaves it alone. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** One lookup on its way to its answer. */
interface Question extends LookupPath {
  readonly response: ServerResponse;
  readonly startedMs: number;
}

const ALLOW = "GET, HEAD";
const METHOD_NOT_ALLOWED = errorBody(405, `Use ${ALLOW}`);

/**
 * Answer `GET /v1/emails/{email}` and `GET /v1/ips/{ip}`. Source: specification, Endpoints.
 *
 * It stands in front of the framework: a router would decode the identifier before its time, and of
 * everything else that a framework does for an answer nothing is left to do.
 */
export function createLookupHandler(options: LookupHandlerOptions): RequestHandler {
  const { lookup, authenticator, metrics, rateLimit, nowMs } = options;
  const buckets = new Map<string, TokenBucket>();

  const count = ({ type, startedMs }: Question, result: LookupResult): void =>
    metrics.lookup(type, result, nowMs() - startedMs);

  const refuse = (question: Question, result: LookupResult, body: ErrorBody): void => {
    count(question, result);
    sendError(question.response, body);
  };

  const fail = (question: Question, error: unknown): void => {
    if (question.response.headersSent) question.response.destroy();
    else refuse(question, "failed", failureBody(error));
  };

  /** Time until a sandbox application may ask again; 0 when it may now. */
  const waitOf = ({ id }: Application): number => {
    const { bucket, waitMs } = takeToken(rateLimit, buckets.get(id), nowMs());
    buckets.set(id, bucket);
    return waitMs;
  };

  const finish = (
    question: Question,
    identifier: string,
    assessment: Assessment,
    isSandbox: boolean,
  ): void => {
    const { type, response } = question;
    const magic = isSandbox ? sandboxAnswer(type, identifier) : undefined;
    const known =
      magic && "assessment" in magic ? { ...assessment, ...magic.assessment } : assessment;
    const text = KINDS[type].textOf(identifier, known);
    if (magic && "fault" in magic) {
      count(question, "sandbox_fault");
      applyFault(response, magic.fault, text);
    } else {
      count(question, "ok");
      sendJson(response, 200, text);
    }
  };

  const answer = (
    question: Question,
    application: Application | undefined,
  ): Promise<void> | void => {
    if (!application) return refuse(question, "unauthorized", UNAUTHORIZED);
    const { type, segment, response } = question;
    const isSandbox = application.kind === "sandbox";
    const waitMs = isSandbox ? waitOf(application) : 0;
    if (waitMs > 0) {
      response.setHeader("retry-after", String(Math.ceil(waitMs / 1000)));
      return refuse(question, "rate_limited", RATE_LIMITED);
    }
    const kind = KINDS[type];
    const identifier = decodeSegment(segment);
    if (identifier === undefined) return refuse(question, "bad_request", kind.invalid);

    const peeked = kind.peek(lookup, identifier);
    if (peeked) return finish(question, identifier, peeked.assessment, isSandbox);
    return kind.lookup(lookup, identifier).then(
      (assessment) => finish(question, identifier, assessment, isSandbox),
      (error: unknown) => {
        const isRefused = isRiskGateError(error) && error.code === "INVALID_ARGUMENT";
        if (isRefused) return refuse(question, "bad_request", kind.invalid);
        return refuse(question, "failed", UNAVAILABLE);
      },
    );
  };

  const handle = (
    question: Question,
    { method, socket, headers }: IncomingMessage,
  ): Promise<void> | void => {
    if (method !== "GET" && method !== "HEAD") {
      question.response.setHeader("allow", ALLOW);
      return sendError(question.response, METHOD_NOT_ALLOWED);
    }
    const found = authenticator.authenticate(socket, headers["x-api-key"]);
    // The usual case goes without a promise.
    if (!(found instanceof Promise)) return answer(question, found);
    return found.then((application) => answer(question, application));
  };

  return (request, response) => {
    const path = readLookupPath(request.url ?? "");
    if (path === undefined) return false;
    const { type, segment } = path;
    const question = { type, segment, response, startedMs: nowMs() };
    try {
      handle(question, request)?.catch((error: unknown) => fail(question, error));
    } catch (error) {
      fail(question, error);
    }
    return true;
  };
}
