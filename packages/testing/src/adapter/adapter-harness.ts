import type { IncomingMessage, ServerResponse } from "node:http";
import type { Challenge, Decision, Reporter } from "@riskgate/core";
import type { Awaitable } from "@riskgate/core/adapter";
import type { LoginWatchOptions, RequestGateOptions, WebhookOptions } from "@riskgate/core/adapter";

/** Puts an application together in one framework: what an adapter supplies to be tested. */
export interface AdapterHarness {
  readonly name: string;
  /**
   * Unsigned requests of 1 MiB that WHR-29 sends; default 10,000, which takes about 20 seconds.
   */
  readonly floodRequests?: number;
  /** Requests that LIF-06 sends; default 10,000, which takes about 25 seconds. */
  readonly lifeRequests?: number;
  /** How long a check waits for something that should happen at once; default 30 seconds. */
  readonly patienceMs?: number;
  /** The platform decides when connections end: no answer announces it. */
  readonly platformConnections?: boolean;
  /**
   * Build the application and listen on a free port of this machine. Rejects, with nothing left
   * open, when the plan cannot be built.
   */
  readonly serve: (plan: AppPlan) => Promise<ServedApp>;
}

/** An application that listens. */
export interface ServedApp {
  readonly port: number;
  /** Stop listening and end every connection. */
  readonly close: () => Promise<void>;
}

/** An application, described without any framework. */
export interface AppPlan {
  readonly webhooks: readonly WebhookPlan[];
  readonly gates: readonly GatePlan[];
  readonly logins: readonly LoginPlan[];
  /**
   * Paths of POST routes that have nothing to do with riskgate: the framework's own JSON parser with
   * its own limits, and the answer 200 with the parsed body as JSON.
   */
  readonly siblings: readonly string[];
  /** Address to listen on. */
  readonly host: string;
  /** Set the framework to trust every proxy. */
  readonly trustEverybody: boolean;
  /** Receives each line that the framework logs. */
  readonly log: (line: string) => void;
}

/** A webhook route. */
export interface WebhookPlan {
  readonly path: string;
  readonly options: WebhookOptions;
  /** Mount the framework's JSON parser in front of it, which is an easy mistake. */
  readonly parserFirst?: boolean;
  /** What something in front of the route does to Node's request, in the turn in which it arrives. */
  readonly before?: (request: IncomingMessage) => void;
  /** Mount it for POST alone, where the framework leaves that to the application. */
  readonly postOnly?: boolean;
}

/**
 * A gated POST route in a separate scope: Express and Koa router, or Fastify plugin. In front of the
 * gate are parsers for JSON and for forms, of which `email[x]=a` yields an object. Its answer is 200
 * with `{"passed":true}` as JSON.
 */
export interface GatePlan {
  readonly path: string;
  readonly options: GatePlanOptions;
  /** Mount the gate a second time behind itself. */
  readonly twice?: boolean;
  /** Called by the route's own handler with the decision that it finds on the request. */
  readonly handler: (decision: Decision) => void;
}

/**
 * A POST route with a watch, behind the framework's own JSON parser. It answers with the status that
 * the handler gives, and leaves an error of the handler to the framework.
 */
export interface LoginPlan {
  readonly path: string;
  readonly options: LoginPlanOptions;
  /** Mount the watch a second time behind itself. */
  readonly twice?: boolean;
  /** The handler of the route. An error that it throws may have a `status`, also as `statusCode`. */
  readonly handler: () => Awaitable<number>;
}

/** Options of a watch whose hooks know no framework. */
export interface LoginPlanOptions extends Omit<
  LoginWatchOptions<[unknown]>,
  "success" | "account" | "reporter"
> {
  readonly reporter?: Reporter;
  /** Gets the parsed body. */
  readonly account?: (body: unknown) => unknown;
  /** Gets the status of the answer. */
  readonly success?: (status: number) => unknown;
}

/** Writes an answer as the framework does. */
export type WriteAnswer = (status: number, text: string) => void;

/** Options of a gate whose hooks know no framework. */
export interface GatePlanOptions extends Omit<
  RequestGateOptions<[unknown]>,
  "onReject" | "onChallenge" | "verifyChallenge"
> {
  /** Gets a function that writes an answer as the framework does, and the response of Node. */
  readonly onReject?: (
    decision: Decision,
    answer: WriteAnswer,
    response: ServerResponse,
  ) => unknown;
  /** Gets the same, and the challenge. */
  readonly onChallenge?: (
    decision: Decision,
    challenge: Challenge,
    answer: WriteAnswer,
    response: ServerResponse,
  ) => unknown;
  /** Gets the parsed body. */
  readonly verifyChallenge?: (body: unknown) => Awaitable<boolean>;
}
