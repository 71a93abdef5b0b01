import { after, allOf, type Awaitable } from "../model/awaitable.js";
import { elementKey, elementTexts } from "./element-identity.js";
import type { AnyHandler, HandlerContext, Handlers } from "./handlers.js";
import type { Delivery, IgnoredElement, IgnoredReason } from "../model/delivery.js";
import type { RawObject } from "../model/raw-object.js";

export interface PayloadCall {
  readonly index: number;
  readonly handler: AnyHandler;
  /** A typed payload, or an element of a later vocabulary as it was sent. */
  readonly payload: unknown;
  readonly raw: RawObject;
  /** Why the element has no type, for the `unknown` handler. */
  readonly reason?: IgnoredReason;
  /** Identity for the seen store; a call without one is never a duplicate. */
  key: string | undefined;
}

export interface PayloadCalls {
  /** A call for each payload that has a handler, in array order. */
  readonly calls: readonly PayloadCall[];
  readonly ignored: readonly IgnoredElement[];
}

/**
 * Pairs the payloads of a delivery with their handlers.
 * @param text The parsed text.
 * @param identify Set if the calls need keys, which cost a digest each. With the id of the delivery,
 * payloads without an id get one too.
 * @param firstIndex Index of the first element in the delivered array.
 */
export function payloadCalls(
  delivery: Delivery,
  text: string,
  handlers: Handlers,
  identify: { readonly deliveryId: string | undefined } | undefined,
  firstIndex = 0,
): Awaitable<PayloadCalls> {
  const calls: PayloadCall[] = [];
  const ignored: IgnoredElement[] = [];

  for (const { index: at, type, payload, raw } of delivery.elements) {
    const handler = handlers.get(type);
    const index = firstIndex + at;
    if (handler) calls.push({ index, handler, payload, raw, key: undefined });
    else ignored.push({ index, reason: "no_handler", raw });
  }
  const unknown = handlers.get("unknown");
  for (const element of delivery.ignored) {
    const { index: at, reason } = element;
    const index = firstIndex + at;
    if (!unknown || reason === "not_an_object") {
      ignored.push({ ...element, index });
      continue;
    }
    const raw = element.raw as RawObject;
    calls.push({ index, handler: unknown, payload: raw, raw, reason, key: undefined });
  }
  if (delivery.ignored.length > 0) {
    calls.sort(byIndex);
    ignored.sort(byIndex);
  }
  if (!identify) return { calls, ignored };
  const texts = elementTexts(text, delivery.size);
  const { deliveryId } = identify;
  const keys = calls.map(({ raw, index }) =>
    elementKey(raw, texts[index - firstIndex]!, deliveryId && `${index} ${deliveryId}`),
  );
  return after(allOf(keys), (all) => {
    for (let at = 0; at < all.length; at++) calls[at]!.key = all[at];
    return { calls, ignored };
  });
}

function byIndex(one: { readonly index: number }, other: { readonly index: number }): number {
  return one.index - other.index;
}

export class CallContext implements HandlerContext {
  readonly secretId: string;
  readonly index: number;
  readonly raw: RawObject;
  declare readonly reason?: IgnoredReason;
  readonly #run: { readonly abort: AbortController };

  constructor(secretId: string, call: PayloadCall, run: { readonly abort: AbortController }) {
    this.secretId = secretId;
    this.index = call.index;
    this.raw = call.raw;
    if (call.reason) this.reason = call.reason;
    this.#run = run;
  }

  /** Created on demand: few handlers use it, and it costs more than the rest of a run. */
  get signal(): AbortSignal {
    return this.#run.abort.signal;
  }
}
