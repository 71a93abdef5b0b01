import type { Decision } from "../model/decision.js";
import type { Reply } from "../base/problem.js";

/** Request head: a subset of Node's `IncomingMessage`. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** True if any code has read from the body. */
  readonly readableDidRead: boolean;
}

/** Response state: a subset of Node's `ServerResponse`. */
export interface ResponseState {
  /** True if the client has disconnected. */
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * One request in Node's terms, as an adapter supplies it. Preferably a class with getters: one is
 * created for each request, and few members are read.
 */
export interface GatedRequest<
  Args extends readonly [unknown, ...unknown[]] = readonly [unknown, ...unknown[]],
> {
  /** Arguments of the framework's middleware, the request first; hooks receive the same. */
  readonly args: Args;
  /** The same object for all gates of a request, which use it as a key to share results. */
  readonly request: RequestHead;
  readonly response: ResponseState;
  /** Request target as the client sent it; default `request.url`, which some routers change. */
  readonly url?: string | undefined;
  /** Client address according to the framework's settings. */
  readonly ip: string | undefined;
  /** Parsed body; undefined if no parser has run. */
  readonly body: unknown;
  /** Path pattern of the route, such as `/users/:id`; undefined if the framework does not know it. */
  readonly route?: string | undefined;
  /** Describes a framework setting that gives the wrong address and its effect, if there is one. */
  unsafeTrust(): string | undefined;
  attach(decision: Decision): void;
  /** Adds a header to the response, whether the request passes or is refused. */
  addHeader(name: string, value: string): void;
  sendReply(reply: Reply): void;
  /**
   * Receives the result of `onReject` or `onChallenge` if the framework uses return values as
   * responses; throws if it is not a response.
   */
  takeAnswer?(returned: unknown): void;
  /** True if any code has sent a response. */
  isAnswered(): boolean;
}
