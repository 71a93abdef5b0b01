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
import { KINDS } from "./lookup-kind.js";
import { identifierOf, LOOKUP_ROUTES } from "./lookup-path.js";
import { LOOKUP_TYPES, type LookupResult, type LookupType, type Metrics } from "./metrics.js";
import { type RateLimit, takeToken, type TokenBucket } from "./rate-limit.js";
import { addResource } from "./resource.js";

const JSON_TYPE = "application/json; charset=utf-8";

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
  readonly reply: FastifyReply;
  readonly startedMs: number;
}

/** Serve `GET /v1/emails/{email}` and `GET /v1/ips/{ip}`. Source: specification, Endpoints. */
export function addLookupRoutes(server: FastifyInstance, options: LookupRoutesOptions): void {
  const { lookup, authenticator, metrics, rateLimit, nowMs } = options;
  const buckets = new Map<string, TokenBucket>();

  const end = ({ type, reply, startedMs }: Question, result: LookupResult, text: string): void => {
    metrics.lookup(type, result, nowMs() - startedMs);
    void reply.header("content-type", JSON_TYPE).send(text);
  };
  const refuse = (question: Question, result: LookupResult, body: ErrorBody): void => {
    question.reply.code(body.code);
    end(question, result, JSON.stringify(body));
  };

  const answer = (
    question: Question,
    url: string,
    application: Application,
  ): Promise<void> | void => {
    const { type, reply } = question;
    const isSandbox = application.kind === "sandbox";
    if (isSandbox) {
      const { bucket, waitMs } = takeToken(rateLimit, buckets.get(application.id), nowMs());
      buckets.set(application.id, bucket);
      if (waitMs > 0) {
        reply.header("retry-after", String(Math.ceil(waitMs / 1000)));
        return refuse(question, "rate_limited", RATE_LIMITED);
      }
    }
    const kind = KINDS[type];
    const given = identifierOf(url);
    if (given === undefined) return refuse(question, "bad_request", NOT_FOUND);
    const identifier = kind.read(given);
    if (identifier === undefined) return refuse(question, "bad_request", kind.invalid);

    const finish = (assessment: object): void => {
      const magic = isSandbox ? sandboxAnswer(type, identifier) : undefined;
      const known =
        magic && "assessment" in magic ? { ...assessment, ...magic.assessment } : assessment;
      const text = kind.textOf(identifier, known as Assessment);
      if (!magic || !("fault" in magic)) return end(question, "ok", text);
      metrics.lookup(type, "sandbox_fault", nowMs() - question.startedMs);
      void applyFault(reply, magic.fault, text);
    };
    const peeked = kind.peek(lookup, identifier);
    if (peeked) return finish(peeked.assessment);
    return kind.lookup(lookup, identifier).then(finish, (error: unknown) => {
      const isRefused = isRiskGateError(error) && error.code === "INVALID_ARGUMENT";
      if (isRefused) return refuse(question, "bad_request", kind.invalid);
      return refuse(question, "failed", UNAVAILABLE);
    });
  };

  const handle = (
    type: LookupType,
    { raw, originalUrl }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | void => {
    const question = { type, reply, startedMs: nowMs() };
    reply.header("cache-control", "no-store");
    const settle = (application: Application | undefined): Promise<void> | void =>
      application
        ? answer(question, originalUrl, application)
        : refuse(question, "unauthorized", UNAUTHORIZED);
    const found = authenticator.authenticate(raw.socket, raw.headers["x-api-key"]);
    // The usual case goes without a promise.
    return found instanceof Promise ? found.then(settle) : settle(found);
  };

  for (const type of LOOKUP_TYPES) {
    addResource(server, LOOKUP_ROUTES[type], {
      GET: (request, reply) => handle(type, request, reply),
    });
  }
}
