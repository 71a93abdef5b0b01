import {
  type Challenge,
  type Decision,
  type OptionReader,
  readOptions,
  readRequestGate,
  type RequestGateOptions,
  type RequestGateSettings,
  requestGateWith,
} from "@riskgate/core/web";
import { withAddress } from "./client-address.js";
import { type ClientInfo, visitOf, withAddedHeaders } from "./web-visit.js";
import { WebExchange } from "./web-exchange.js";

/**
 * Options for a gate whose hooks return a `Response`. `Args` are the arguments of its hooks, the
 * one that identifies the request first.
 */
export interface WebGateOptions<Args extends readonly [unknown, ...unknown[]]> extends Omit<
  RequestGateOptions<Args>,
  "onReject" | "onChallenge"
> {
  /**
   * Returns the address of the client, or of the last proxy, from the platform. `trustedProxies`
   * starts from there. By default `remoteAddress` from the info; nothing is guessed.
   */
  readonly clientAddress?: (...args: Args) => string | null | undefined;
  /** Returns a custom refusal; the default response is used if it fails or takes too long. */
  readonly onReject?: (decision: Decision, ...args: Args) => Response | Promise<Response>;
  /** Returns a custom challenge, such as a page; otherwise like `onReject`. */
  readonly onChallenge?: (
    decision: Decision,
    challenge: Challenge,
    ...args: Args
  ) => Response | Promise<Response>;
}

export interface Passage {
  /** Refuses or challenges the request. */
  readonly answer?: Response | undefined;
  /** Undefined if `skip` let the request through. */
  readonly decision?: Decision | undefined;
}

export interface WebGate<Args extends readonly [unknown, ...unknown[]]> {
  guard(request: Request, info: ClientInfo, ...args: Args): Promise<Passage>;
}

/**
 * Creates the gate shared by the Web-standard adapters.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createWebGate<Args extends readonly [unknown, ...unknown[]]>(
  options: WebGateOptions<Args>,
): WebGate<Args> {
  return webGateWith(readOptions("riskGate", options, readWebGate<Args>));
}

export interface WebGateSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly settings: RequestGateSettings<Args>;
  readonly addressOf: WebGateOptions<Args>["clientAddress"];
}

/** Reads {@link WebGateOptions}, for a factory with additional options. */
export function readWebGate<Args extends readonly [unknown, ...unknown[]]>(
  given: OptionReader,
): WebGateSettings<Args> {
  type AddressOf = NonNullable<WebGateOptions<Args>["clientAddress"]>;
  return {
    settings: readRequestGate<Args>(given),
    addressOf: given.function<AddressOf>("clientAddress"),
  };
}

export function webGateWith<Args extends readonly [unknown, ...unknown[]]>({
  settings,
  addressOf,
}: WebGateSettings<Args>): WebGate<Args> {
  const gate = requestGateWith(settings);
  const { report } = settings.gate;
  return {
    async guard(request, info, ...args) {
      const named = withAddress(info, addressOf && (() => addressOf(...args)), report);
      const exchange = new WebExchange(visitOf(request), named, args);
      if (await gate.guard(exchange)) return { decision: exchange.decision };
      // Without a response the client has left: nobody receives this one, but it is not a pass.
      const answer = exchange.answer ?? new Response(null, { status: 499 });
      return { answer: withAddedHeaders(request, answer) };
    },
  };
}
