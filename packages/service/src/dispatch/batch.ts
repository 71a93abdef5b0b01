import type { PayloadType } from "@riskgate/core/payloads";

/** Maximum number of payloads in one delivery. Source: specification, Limits. */
export const MAX_PAYLOADS_PER_DELIVERY = 1000;

export interface BatchElement {
  readonly type: PayloadType;
  /** JSON text, which is sent unchanged. */
  readonly payload: string;
}

export interface BatchLimits {
  /** Maximum bytes of the whole body in UTF-8, including brackets and commas. */
  readonly maxBodyBytes: number;
  readonly oneTypePerCall?: boolean;
  /** Maximum number of payloads; the default, 1,000, is also the upper limit. */
  readonly maxPayloads?: number;
}

export interface Batch<Element extends BatchElement> {
  /** At least one element, in the order given. */
  readonly elements: readonly Element[];
  /** Size of the body in UTF-8 bytes. */
  readonly bytes: number;
  /** True if nothing can be added: the next element did not fit, or there are 1,000. */
  readonly isFull: boolean;
  /** True if the only element exceeds the limit, and is sent alone. */
  readonly isOversized: boolean;
}

/**
 * Splits payloads into deliveries by count and size. The order is preserved, with `oneTypePerCall`
 * within each type. No batch is empty, so an empty array is never sent.
 */
export function splitPayloads<Element extends BatchElement>(
  elements: readonly Element[],
  limits: BatchLimits,
): Batch<Element>[] {
  const maxPayloads = Math.min(
    limits.maxPayloads ?? MAX_PAYLOADS_PER_DELIVERY,
    MAX_PAYLOADS_PER_DELIVERY,
  );
  const batches: Draft<Element>[] = [];
  const open = new Map<PayloadType | "any", Draft<Element>>();
  for (const element of elements) {
    const key = limits.oneTypePerCall === true ? element.type : "any";
    const bytes = Buffer.byteLength(element.payload);
    let draft = open.get(key);
    if (draft && draft.bytes + 1 + bytes > limits.maxBodyBytes) {
      draft.isFull = true;
      draft = undefined;
    }
    if (draft) {
      draft.elements.push(element);
      draft.bytes += 1 + bytes;
    } else {
      draft = { elements: [element], bytes: 2 + bytes, isFull: false, isOversized: false };
      draft.isOversized = draft.bytes > limits.maxBodyBytes;
      batches.push(draft);
      open.set(key, draft);
    }
    if (draft.isOversized || draft.elements.length === maxPayloads) {
      draft.isFull = true;
      open.delete(key);
    }
  }
  return batches;
}

interface Draft<Element> {
  readonly elements: Element[];
  bytes: number;
  isFull: boolean;
  isOversized: boolean;
}
