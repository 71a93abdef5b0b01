import type { Decision, GatedRequest, Reply } from "@riskgate/core/web";
import { responseOf } from "./response-of.js";
import type { ClientInfo, WebVisit } from "./web-visit.js";

/** A request passing through one gate, and the gate's response. */
export class WebExchange<
  Args extends readonly [unknown, ...unknown[]],
> implements GatedRequest<Args> {
  readonly args: Args;
  readonly request: WebVisit;
  decision: Decision | undefined;
  answer: Response | undefined;
  readonly #info: ClientInfo;

  constructor(visit: WebVisit, info: ClientInfo, args: Args) {
    this.request = visit;
    this.args = args;
    this.#info = info;
    visit.socket = { remoteAddress: info.remoteAddress };
  }

  get response(): WebVisit {
    return this.request;
  }

  get ip(): string | undefined {
    return this.#info.remoteAddress;
  }

  get body(): unknown {
    return this.#info.body;
  }

  get route(): string | undefined {
    return this.#info.route;
  }

  /** The application supplies the address itself. */
  unsafeTrust(): undefined {}

  attach(decision: Decision): void {
    this.decision = decision;
  }

  addHeader(name: string, value: string): void {
    this.request.addedHeaders.push([name, value]);
  }

  sendReply(reply: Reply): void {
    this.answer = responseOf(reply);
  }

  takeAnswer(returned: unknown): void {
    if (!isResponse(returned)) throw new TypeError("expected a Response");
    // A late result does not replace the default response.
    this.answer ??= returned;
  }

  isAnswered(): boolean {
    return this.answer !== undefined;
  }
}

/** Checks the shape, because frameworks bring their own classes. */
function isResponse(value: unknown): value is Response {
  const { status, headers } = (value ?? {}) as Partial<Record<keyof Response, unknown>>;
  return typeof status === "number" && typeof headers === "object" && headers !== null;
}
