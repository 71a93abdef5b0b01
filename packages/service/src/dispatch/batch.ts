import type { PayloadType } from "@riskgate/core/payloads";

/** Most payloads in one delivery. Source: specification, Limits. */
export const MAX_PAYLOADS_PER_DELIVERY = 1000;

/** One element of the array. */
export interface BatchElement {
  readonly type: PayloadType;
  /** JSON text, which is sent as it is. */
  readonly payload: string;
}

/** How much one delivery may hold. */
export interface BatchLimits {
  /** Whole body in UTF-8, brackets and commas included. */
  readonly maxBodyBytes: number;
  readonly oneTypePerCall?: boolean;
  /** Default, and at most, 1,000. */
  readonly maxPayloads?: number;
}

/** The payloads of one delivery. */
export interface Batch<Element extends BatchElement> {
  /** In the order given, at least one. */
  readonly elements: readonly Element[];
  /** UTF-8 bytes of the body. */
  readonly bytes: number;
  /** Nothing can be added later: the next element did not fit, or there are 1,000. */
  readonly isFull: boolean;
  /** The only element is larger than the limit, and is sent alone. */
  readonly isOversized: boolean;
}

/**
 * Splits payloads into deliveries by count and by bytes. The order is kept, with `oneTypePerCall`
 * within each type. No batch is empty, so that no empty array is ever sent.
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

/** Joins the body of a batch. Exactly these bytes are stored, signed and sent. */
export function bodyOf(batch: Batch<BatchElement>): Buffer {
  return Buffer.from(`[${batch.elements.map(({ payload }) => payload).join(",")}]`);
}

interface Draft<Element> {
  readonly elements: Element[];
  bytes: number;
  isFull: boolean;
  isOversized: boolean;
}
