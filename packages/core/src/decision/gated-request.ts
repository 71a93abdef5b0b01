import type { Decision } from "../model/decision.js";
import type { Reply } from "../base/problem.js";

/** What a gate reads of the head of a request: a part of Node's own. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** Path with its query. */
  readonly url?: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** Whether something has read of the body. */
  readonly readableDidRead: boolean;
}

/** What a gate asks of the response to a request: a part of Node's own. */
export interface ResponseState {
  /** The client has gone. */
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
  /** Cut off an answer that nobody will end. */
  destroy(): unknown;
}

/**
 * One request in terms of Node, and what a gate may do to it. An adapter supplies it, best as a class
 * of getters: one is made for each request, and few members are read.
 */
export interface GatedRequest<
  Args extends readonly [unknown, ...unknown[]] = readonly [unknown, ...unknown[]],
> {
  /** What the framework hands to a middleware, the request first; hooks receive the same. */
  readonly args: Args;
  /** The same object for each gate of a request: by it they share what one of them has found. */
  readonly request: RequestHead;
  readonly response: ResponseState;
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
  /** Adds a header to the response, whether the request passes or is answered. */
  addHeader(name: string, value: string): void;
  /** Answers the request. */
  sendReply(reply: Reply): void;
  /**
   * Take what `onReject` or `onChallenge` has returned, where a framework answers in that way; throws
   * where it is no answer.
   */
  takeAnswer?(returned: unknown): void;
  /** Whether the request has been answered, by any code. */
  isAnswered(): boolean;
}
