import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "@riskgate/core";
import { type GatedRequest, readAnyBody, type Reply } from "@riskgate/core/adapter";
import type { Context } from "koa";
import { sendReply } from "./send-reply.js";

export class GatedContext implements GatedRequest<[context: Context]> {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  get args(): [context: Context] {
    return [this.#context];
  }

  get request(): IncomingMessage {
    return this.#context.req;
  }

  get response(): ServerResponse {
    return this.#context.res;
  }

  get url(): string {
    return this.#context.originalUrl;
  }

  get ip(): string {
    return this.#context.ip;
  }

  get body(): unknown {
    const { body } = this.#context.request as { body?: unknown };
    return readAnyBody(body, this.#context.req);
  }

  /** Set by `@koa/router`. */
  get route(): string | undefined {
    const { _matchedRoute: route } = this.#context as { _matchedRoute?: unknown };
    return typeof route === "string" ? route : undefined;
  }

  /** With `proxy`, Koa uses the outermost address in a header, however many proxies there are. */
  unsafeTrust(): string | undefined {
    const { proxy, maxIpsCount } = this.#context.app as { proxy: boolean; maxIpsCount?: number };
    return proxy && !maxIpsCount
      ? "Koa trusts a header without a cap (`proxy` without `maxIpsCount`): a client can choose its own address"
      : undefined;
  }

  attach(decision: Decision): void {
    this.#context.state.risk = decision;
  }

  addHeader(name: string, value: string): void {
    this.#context.append(name, value);
  }

  sendReply(reply: Reply): void {
    sendReply(this.#context, reply);
  }

  /** Koa responds when all middleware has finished: anything set by then is the response. */
  isAnswered(): boolean {
    const { body, status, headerSent, respond } = this.#context;
    return (
      headerSent || respond === false || status !== 404 || (body !== undefined && body !== null)
    );
  }
}
