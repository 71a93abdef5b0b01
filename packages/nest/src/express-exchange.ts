import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "@riskgate/core";
import type { Reply } from "@riskgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import type { Exchange } from "./platform.js";
import { sendExpressReply } from "./send-express-reply.js";

/** Part of an Express request that is used. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl: string;
  readonly ip?: string;
  readonly body?: unknown;
  readonly baseUrl: string;
  readonly route?: { readonly path?: unknown };
  readonly app: { get(setting: "trust proxy fn"): TrustsProxy };
  risk?: Decision;
}

/** Express compiles its setting to a function of the address and of its distance. */
type TrustsProxy = (address: string, distance: number) => boolean;

/** A request of Express with its response, as a gate sees them. */
export class ExpressExchange implements Exchange {
  readonly args: [context: ExecutionContext];
  readonly request: ExpressRequest;
  readonly response: ServerResponse;

  constructor(context: ExecutionContext) {
    this.args = [context];
    this.request = context.switchToHttp().getRequest<ExpressRequest>();
    this.response = context.switchToHttp().getResponse<ServerResponse>();
  }

  /** Routers change the property `url` to the part below them. */
  get url(): string {
    return this.request.originalUrl;
  }

  get ip(): string | undefined {
    return this.request.ip;
  }

  get body(): unknown {
    return this.request.body;
  }

  get route(): string | undefined {
    const { route, baseUrl } = this.request;
    return typeof route?.path === "string" ? baseUrl + route.path : undefined;
  }

  unsafeTrust(): string | undefined {
    const trusts = this.request.app.get("trust proxy fn");
    // No list holds this documentation address, and no count reaches so far.
    return trusts("192.0.2.1", 1000) ? 'Express trusts every proxy ("trust proxy")' : undefined;
  }

  attach(decision: Decision): void {
    this.request.risk = decision;
  }

  addHeader(name: string, value: string): void {
    this.response.appendHeader(name, value);
  }

  sendReply(reply: Reply): void {
    sendExpressReply(this.response, reply);
  }

  isAnswered(): boolean {
    return this.response.headersSent;
  }
}
