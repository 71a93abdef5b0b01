import type { ArrivingDelivery, BodyLimits } from "@riskgate/core/web";
import { dropBody, readBody } from "./read-body.js";

/** A delivery that comes as a `Request`. */
export class WebDelivery implements ArrivingDelivery {
  /** Another reader has the body, and does not share it. */
  readonly kept = undefined;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  get isRead(): boolean {
    return this.#request.bodyUsed;
  }

  get isTaken(): boolean {
    return this.#request.bodyUsed || this.#request.body?.locked === true;
  }

  read(limits: BodyLimits): Promise<Uint8Array> {
    return readBody(this.#request, limits);
  }

  /** The connection is the platform's: what it does with a body that nobody reads is its own rule. */
  discard(): Record<string, string> {
    return this.leave();
  }

  leave(): Record<string, string> {
    dropBody(this.#request);
    return {};
  }
}
