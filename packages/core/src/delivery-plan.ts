import type { Job } from "./delivery-run.js";
import type { RawObject } from "./normalize-payload.js";
import type { Delivery } from "./parse-delivery.js";
import type { IgnoredPayload } from "./receipt.js";
import type { AnyHandler } from "./webhook-handlers.js";

/** What a delivery asks for: the handler calls, and what nobody handles. */
export interface DeliveryPlan {
  readonly jobs: readonly Job[];
  readonly ignored: readonly IgnoredPayload[];
}

/**
 * Pair the elements of a delivery with their handlers, in the order of the array.
 *
 * @param keyOf Identity of a payload for the seen store; without it every job runs.
 */
export function planDelivery(
  { elements, ignored }: Delivery,
  handlers: ReadonlyMap<string, AnyHandler>,
  secretId: string,
  keyOf?: (type: string, raw: RawObject) => string | undefined,
): DeliveryPlan {
  const jobs: Job[] = [];
  const unhandled: IgnoredPayload[] = [];
  for (const { index, type, payload, raw } of elements) {
    const handler = handlers.get(type);
    if (!handler) unhandled.push({ index, reason: "no_handler", raw });
    else {
      jobs.push({
        index,
        key: keyOf?.(type, raw),
        call: (signal) => handler(payload, { secretId, index, raw, signal }),
      });
    }
  }
  const unknown = handlers.get("unknown");
  for (const element of ignored) {
    const { index, reason, type } = element;
    if (!unknown || type === undefined) unhandled.push(element);
    else {
      const raw = element.raw as RawObject;
      jobs.push({
        index,
        key: keyOf?.(type, raw),
        call: (signal) => unknown(raw, { secretId, index, raw, reason, signal }),
      });
    }
  }
  const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;
  return { jobs: jobs.sort(byIndex), ignored: unhandled.sort(byIndex) };
}
