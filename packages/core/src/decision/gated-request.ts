import type { Decision } from "../model/decision.js";
import type { Reply } from "../base/problem.js";

/** Head of a request, as a part of Node's `IncomingMessage`. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** Path with its query. */
  readonly url?: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** True if something has read from the body. */
  readonly readableDidRead: boolean;
}

/** State of a response, as a part of Node's `ServerResponse`. */
export interface ResponseState {
  /** The client has gone. */
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
  /** Cuts off an answer that nobody will end. */
  destroy(): unknown;
}

/**
 * One request in terms of Node, as an adapter supplies it. Best a class of getters: a gate makes one for
 * each request and reads few members.
 */
export interface GatedRequest<
  Args extends readonly [unknown, ...unknown[]] = readonly [unknown, ...unknown[]],
> {
  /** Arguments of a middleware of the framework, the request first; hooks receive the same. */
  readonly args: Args;
  /** The same object for each gate of a request: they share their findings by it. */
  readonly request: RequestHead;
  readonly response: ResponseState;
  /** Target of the request as the client sent it; by default `request.url`, which some routers change. */
  readonly url?: string | undefined;
  /** Client address by the framework's own setting. */
  readonly ip: string | undefined;
  /** Parsed body; undefined if no parser has run. */
  readonly body: unknown;
  /** Path pattern of the route, such as `/users/:id`; undefined if the framework does not know it. */
  readonly route?: string | undefined;
  /** Returns the setting of the framework that lets a client choose its own address. */
  unsafeTrust(): string | undefined;
  /** Hands the decision to the application. */
  attach(decision: Decision): void;
  /** Adds a header to the response, whether the request passes or is answered. */
  addHeader(name: string, value: string): void;
  /** Answers the request. */
  sendReply(reply: Reply): void;
  /**
   * Takes the result of `onReject` or `onChallenge`, if the framework answers by results; throws if it
   * is not an answer.
   */
  takeAnswer?(returned: unknown): void;
  /** True if any code has answered the request. */
  isAnswered(): boolean;
}
