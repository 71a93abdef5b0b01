import { type Assessment, isRiskGateError, type RiskLookup } from "@riskgate/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { applyFault } from "../sandbox/fault.js";
import { sandboxAnswer } from "../sandbox/magic.js";
import type { Application } from "../storage/applications.js";
import type { Authenticator } from "./authenticator.js";
import {
  type ErrorBody,
  NOT_FOUND,
  RATE_LIMITED,
  UNAUTHORIZED,
  UNAVAILABLE,
} from "./error-body.js";
import { sendText } from "./lookup-answer.js";
import { KINDS } from "./lookup-kind.js";
import { identifierOf, LOOKUP_ROUTES } from "./lookup-path.js";
import { LOOKUP_TYPES, type LookupResult, type LookupType, type Metrics } from "./metrics.js";
import { type RateLimit, takeToken, type TokenBucket } from "./rate-limit.js";
import { addResource } from "./resource.js";

/** What is known of somebody today is not what is known tomorrow. */
const NOT_STORED = ["cache-control", "no-store"] as const;

/** What lookups are answered with. */
export interface LookupRoutesOptions {
  readonly lookup: RiskLookup;
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
  /** For each sandbox application. */
  readonly rateLimit: RateLimit;
  /** Milliseconds on a clock that never jumps. */
  readonly nowMs: () => number;
}

/** One lookup on its way to its answer. */
interface Question {
  readonly type: LookupType;
  readonly url: string;
  readonly reply: FastifyReply;
  readonly startedMs: number;
}

/** Serve `GET /v1/emails/{email}` and `GET /v1/ips/{ip}`. Source: specification, Endpoints. */
export function addLookupRoutes(server: FastifyInstance, options: LookupRoutesOptions): void {
  const { lookup, authenticator, metrics, rateLimit, nowMs } = options;
  const buckets = new Map<string, TokenBucket>();

  const count = ({ type, startedMs }: Question, result: LookupResult): void =>
    metrics.lookup(type, result, nowMs() - startedMs);

  const refuse = (question: Question, result: LookupResult, body: ErrorBody): void => {
    count(question, result);
    void question.reply
      .code(body.code)
      .header(...NOT_STORED)
      .send(body);
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
    const { type, reply } = question;
    const magic = isSandbox ? sandboxAnswer(type, identifier) : undefined;
    const known =
      magic && "assessment" in magic ? { ...assessment, ...magic.assessment } : assessment;
    const text = KINDS[type].textOf(identifier, known);
    if (magic && "fault" in magic) {
      count(question, "sandbox_fault");
      applyFault(reply.header(...NOT_STORED), magic.fault, text);
    } else {
      count(question, "ok");
      sendText(reply.raw, text);
    }
  };

  const answer = (
    question: Question,
    application: Application | undefined,
  ): Promise<void> | void => {
    if (!application) return refuse(question, "unauthorized", UNAUTHORIZED);
    const { type, url, reply } = question;
    const isSandbox = application.kind === "sandbox";
    const waitMs = isSandbox ? waitOf(application) : 0;
    if (waitMs > 0) {
      reply.header("retry-after", String(Math.ceil(waitMs / 1000)));
      return refuse(question, "rate_limited", RATE_LIMITED);
    }
    const kind = KINDS[type];
    const given = identifierOf(url, LOOKUP_ROUTES[type]);
    if (given === undefined) return refuse(question, "bad_request", NOT_FOUND);
    const identifier = kind.read(given);
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
    type: LookupType,
    { raw, originalUrl }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | void => {
    const question = { type, url: originalUrl, reply, startedMs: nowMs() };
    const found = authenticator.authenticate(raw.socket, raw.headers["x-api-key"]);
    // The usual case goes without a promise.
    if (!(found instanceof Promise)) return answer(question, found);
    return found.then((application) => answer(question, application));
  };

  for (const type of LOOKUP_TYPES) {
    addResource(server, LOOKUP_ROUTES[type], {
      GET: (request, reply) => handle(type, request, reply),
    });
  }
}
