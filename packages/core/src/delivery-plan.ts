import type { Job } from "./job.js";
import type { Delivery } from "./parse-delivery.js";
import type { RawObject } from "./raw-object.js";
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
  keyOf?: (raw: RawObject, index: number) => string | undefined,
): DeliveryPlan {
  const jobs: Job[] = [];
  const unhandled: IgnoredPayload[] = [];
  for (const { index, type, payload, raw } of elements) {
    const handler = handlers.get(type);
    if (handler) jobs.push({ index, key: keyOf?.(raw, index), handler, payload, raw });
    else unhandled.push({ index, reason: "no_handler", raw });
  }
  if (ignored.length === 0) return { jobs, ignored: unhandled };

  const unknown = handlers.get("unknown");
  for (const element of ignored) {
    const { index, reason, type } = element;
    if (!unknown || type === undefined) unhandled.push(element);
    else {
      const raw = element.raw as RawObject;
      jobs.push({ index, key: keyOf?.(raw, index), handler: unknown, payload: raw, raw, reason });
    }
  }
  const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;
  return { jobs: jobs.sort(byIndex), ignored: unhandled.sort(byIndex) };
}
