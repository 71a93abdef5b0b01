import type { Job, UnknownPayload } from "./job.js";
import type { Delivery, DeliveryElement, IgnoredElement } from "./parse-delivery.js";
import type { IgnoredPayload } from "./receipt.js";
import type { AnyHandler } from "./handlers.js";

/** What a delivery asks for. */
export interface DeliveryPlan {
  /** The payloads that have a handler, in the order of the array. */
  readonly jobs: readonly Job[];
  /** Everything else, in the same order. */
  readonly ignored: readonly IgnoredPayload[];
}

/** Tell what has a handler from what has none. */
export function planDelivery(
  { elements, ignored }: Delivery,
  handlers: ReadonlyMap<string, AnyHandler>,
): DeliveryPlan {
  const isHandled = ({ type }: DeliveryElement): boolean => handlers.has(type);
  // Nearly every delivery ends here, with nothing made that the collector would have to copy.
  if (ignored.length === 0 && elements.every(isHandled)) return { jobs: elements, ignored };

  const isForUnknown = (element: IgnoredElement): element is UnknownPayload =>
    element.type !== undefined && handlers.has("unknown");
  const unhandled = elements
    .filter((element) => !isHandled(element))
    .map(({ index, raw }) => ({ index, reason: "no_handler" as const, raw }));
  return {
    jobs: inOrder<Job>(elements.filter(isHandled), ignored.filter(isForUnknown)),
    ignored: inOrder<IgnoredPayload>(
      unhandled,
      ignored.filter((element) => !isForUnknown(element)),
    ),
  };
}

function inOrder<T extends { readonly index: number }>(...lists: readonly (readonly T[])[]): T[] {
  return lists.flat().sort((a, b) => a.index - b.index);
}
