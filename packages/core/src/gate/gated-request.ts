import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "./decision.js";
import type { Reply } from "../base/problem.js";

/**
 * One request in terms of Node, and what a gate may do to it. An adapter supplies it, best as a class
 * of getters: one is made for each request, and few members are read.
 */
export interface GatedRequest<
  Args extends readonly [unknown, ...unknown[]] = readonly [unknown, ...unknown[]],
> {
  /** What the framework hands to a middleware, the request first; hooks receive the same. */
  readonly args: Args;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Target of the request as the client sent it; by default `request.url`, which some routers change. */
  readonly url?: string | undefined;
  /** Client address by the framework's own setting. */
  readonly ip: string | undefined;
  /** Parsed body, where a parser has run. */
  readonly body: unknown;
  /** Path pattern of the route, such as `/users/:id`, where the framework knows it. */
  readonly route?: string | undefined;
  /** The setting of the framework that lets a client choose its own address, if there is one. */
  unsafeTrust(): string | undefined;
  /** Hand the decision to the application. */
  attach(decision: Decision): void;
  /** Answer the request. */
  sendReply(reply: Reply): void;
  /** Whether the request has been answered, by any code. */
  isAnswered(): boolean;
}
