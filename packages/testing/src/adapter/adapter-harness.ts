import type { IncomingMessage, ServerResponse } from "node:http";
import type { Challenge, Decision, Reporter, RiskLookup } from "@riskgate/core";
import type { CookieResponse } from "@riskgate/core/device";
import type { Awaitable } from "@riskgate/core/adapter";
import type { LoginWatchOptions, RequestGateOptions, WebhookOptions } from "@riskgate/core/adapter";

/** Builds an application in one framework; an adapter provides it for the tests. */
export interface AdapterHarness {
  readonly name: string;
  /**
   * Unsigned requests of 1 MiB that WHR-29 sends; default 10,000, which takes about 20 seconds.
   */
  readonly floodRequests?: number;
  /** Requests that LIF-06 sends; default 10,000, which takes about 25 seconds. */
  readonly lifeRequests?: number;
  /** Time limit for events that should occur immediately; default 30 seconds. */
  readonly patienceMs?: number;
  /** The platform closes connections without announcing it in a response. */
  readonly platformConnections?: boolean;
  /**
   * Builds the application and listens on a free port on this machine. Rejects, with nothing left
   * open, if the plan cannot be built.
   */
  readonly serve: (plan: AppPlan) => Promise<ServedApp>;
}

export interface ServedApp {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** An application, described without any framework. */
export interface AppPlan {
  readonly webhooks: readonly WebhookPlan[];
  readonly gates: readonly GatePlan[];
  readonly logins: readonly LoginPlan[];
  /**
   * Paths of POST routes without riskgate: the framework's JSON parser with its limits, and a 200
   * response with the parsed body as JSON.
   */
  readonly siblings: readonly string[];
  readonly host: string;
  /** Sets the framework to trust every proxy. */
  readonly trustEverybody: boolean;
  readonly log: (line: string) => void;
}

export interface WebhookPlan {
  readonly path: string;
  readonly options: WebhookOptions;
  /** Mounts the framework's JSON parser in front of it, which is a common mistake. */
  readonly parserFirst?: boolean;
  /** Changes Node's request synchronously as it arrives, like middleware in front of the route. */
  readonly before?: (request: IncomingMessage) => void;
  /** Mounts it for POST only, if the framework lets the application choose. */
  readonly postOnly?: boolean;
}

/**
 * A gated POST route in a separate scope: Express and Koa router, or Fastify plugin. Parsers for
 * JSON and for forms precede the gate; `email[x]=a` yields an object. Its response is 200 with
 * `{"passed":true}` as JSON.
 */
export interface GatePlan {
  readonly path: string;
  readonly options: GatePlanOptions;
  readonly twice?: boolean;
  readonly handler: (decision: Decision) => void;
  /** Receives what the framework's handler writes its response to, before it is sent. */
  readonly respond?: ((response: CookieResponse) => Awaitable<void>) | undefined;
}

/**
 * A POST route with a watch, after the framework's own JSON parser. It responds with the status
 * that the handler returns, and leaves an error of the handler to the framework.
 */
export interface LoginPlan {
  readonly path: string;
  readonly options: LoginPlanOptions;
  readonly twice?: boolean;
  /** An error that it throws may have a `status`, also as `statusCode`. */
  readonly handler: () => Awaitable<number>;
}

/** Options for a watch, with framework-independent hooks. */
export interface LoginPlanOptions extends Omit<
  LoginWatchOptions<[unknown]>,
  "success" | "account" | "reporter"
> {
  readonly reporter?: Reporter;
  /** A path, or a function that receives the parsed body. */
  readonly account?: string | ((body: unknown) => unknown);
  readonly success?: (status: number) => unknown;
}

export type WriteAnswer = (status: number, text: string) => void;

export interface GatePlanOptions extends Omit<
  RequestGateOptions<[unknown]>,
  "lookup" | "onReject" | "onChallenge" | "verifyChallenge"
> {
  readonly lookup: RiskLookup;
  /** Receives a function that responds as the framework does, and Node's response. */
  readonly onReject?: (
    decision: Decision,
    answer: WriteAnswer,
    response: ServerResponse,
  ) => unknown;
  /** Also receives the challenge. */
  readonly onChallenge?: (
    decision: Decision,
    challenge: Challenge,
    answer: WriteAnswer,
    response: ServerResponse,
  ) => unknown;
  readonly verifyChallenge?: (body: unknown) => Awaitable<boolean>;
}
