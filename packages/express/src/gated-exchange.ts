import type { Decision } from "@riskgate/core";
import type { GatedRequest, Reply } from "@riskgate/core/adapter";
import type { Request, Response } from "express";
import { sendReply } from "./send-reply.js";

/** A request of Express with its response, as a gate sees them. */
export class GatedExchange implements GatedRequest<[request: Request, response: Response]> {
  readonly request: Request;
  readonly response: Response;

  constructor(request: Request, response: Response) {
    this.request = request;
    this.response = response;
  }

  get args(): [request: Request, response: Response] {
    return [this.request, this.response];
  }

  /** Routers change the property `url` to the part below them. */
  get url(): string {
    return this.request.originalUrl;
  }

  get ip(): string | undefined {
    return this.request.ip;
  }

  get body(): unknown {
    return this.request.body as unknown;
  }

  get route(): string | undefined {
    const { route, baseUrl } = this.request as { route?: { path?: unknown }; baseUrl: string };
    return typeof route?.path === "string" ? baseUrl + route.path : undefined;
  }

  /** Express compiles its setting to a function of the address and of its distance. */
  unsafeTrust(): string | undefined {
    const { app } = this.request;
    const trusts = app.get("trust proxy fn") as (address: string, distance: number) => boolean;
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
    sendReply(this.response, reply);
  }

  isAnswered(): boolean {
    return this.response.headersSent;
  }
}
