import {
  callSyncHook,
  type Challenge,
  type Decision,
  type OptionReader,
  readOptions,
  readRequestGate,
  type RequestGateOptions,
  type RequestGateSettings,
  requestGateWith,
} from "@riskgate/core/web";
import { type ClientInfo, visitOf, withAddedHeaders } from "./web-visit.js";
import { WebExchange } from "./web-exchange.js";

/**
 * Options of a gate whose hooks answer with a `Response`. `Args` are what its hooks get, what they know
 * the request by first.
 */
export interface WebGateOptions<Args extends readonly [unknown, ...unknown[]]> extends Omit<
  RequestGateOptions<Args>,
  "onReject" | "onChallenge"
> {
  /**
   * Returns the address of the client, or of the last proxy before it, from the platform.
   * `trustedProxies` continues from there. By default `remoteAddress` of the info; nothing is guessed.
   */
  readonly clientAddress?: (...args: Args) => string | null | undefined;
  /** Makes the application's own refusal; the default answer follows if it fails or takes too long. */
  readonly onReject?: (decision: Decision, ...args: Args) => Response | Promise<Response>;
  /** Makes the application's own challenge, such as a page; otherwise as for `onReject`. */
  readonly onChallenge?: (
    decision: Decision,
    challenge: Challenge,
    ...args: Args
  ) => Response | Promise<Response>;
}

/** How a request has come through a gate: with an answer it has not. */
export interface Passage {
  /** Refuses or challenges the request. */
  readonly answer?: Response | undefined;
  /** Undefined where `skip` let the request through. */
  readonly decision?: Decision | undefined;
}

/** A gate over requests of Web standards. */
export interface WebGate<Args extends readonly [unknown, ...unknown[]]> {
  guard(request: Request, info: ClientInfo, ...args: Args): Promise<Passage>;
}

/**
 * Makes the gate that the adapters on Web standards share.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createWebGate<Args extends readonly [unknown, ...unknown[]]>(
  options: WebGateOptions<Args>,
): WebGate<Args> {
  return webGateWith(readOptions("riskGate", options, readWebGate<Args>));
}

/** Settings of {@link webGateWith}. */
export interface WebGateSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly settings: RequestGateSettings<Args>;
  readonly addressOf: WebGateOptions<Args>["clientAddress"];
}

/** Reads {@link WebGateOptions}, for a factory that has more options. */
export function readWebGate<Args extends readonly [unknown, ...unknown[]]>(
  given: OptionReader,
): WebGateSettings<Args> {
  type AddressOf = NonNullable<WebGateOptions<Args>["clientAddress"]>;
  return {
    settings: readRequestGate<Args>(given),
    addressOf: given.function<AddressOf>("clientAddress"),
  };
}

/** Makes a gate from options that were read. */
export function webGateWith<Args extends readonly [unknown, ...unknown[]]>({
  settings,
  addressOf,
}: WebGateSettings<Args>): WebGate<Args> {
  const gate = requestGateWith(settings);
  const { report } = settings.gate;

  const named = (info: ClientInfo, args: Args): ClientInfo => {
    if (!addressOf) return info;
    const found = callSyncHook("`clientAddress`", () => addressOf(...args), {
      report,
      otherwise: undefined,
    });
    return { ...info, remoteAddress: found ?? undefined };
  };
  return {
    async guard(request, info, ...args) {
      const exchange = new WebExchange(visitOf(request), named(info, args), args);
      if (await gate.guard(exchange)) return { decision: exchange.decision };
      // Without an answer the client has left: this one reaches nobody, and must not look like a pass.
      const answer = exchange.answer ?? new Response(null, { status: 499 });
      return { answer: withAddedHeaders(request, answer) };
    },
  };
}
