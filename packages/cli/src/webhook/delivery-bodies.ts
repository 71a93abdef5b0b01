/** Maximum number of payloads in a delivery. Source: specification, Limits. */
const MAX_PAYLOADS = 1000;

export interface DeliveryBody {
  readonly body: Buffer;
  readonly payloads: number;
}

/**
 * Splits payloads into deliveries by count and bytes, in order, as the dispatcher does. A payload
 * over the limit gets a separate delivery.
 */
export function* deliveryBodies(
  payloads: Iterable<unknown>,
  maxBytes: number,
): Generator<DeliveryBody> {
  let texts: string[] = [];
  let bytes = 2;
  const cut = (): DeliveryBody => {
    const delivery = { body: Buffer.from(`[${texts.join(",")}]`), payloads: texts.length };
    texts = [];
    bytes = 2;
    return delivery;
  };
  for (const payload of payloads) {
    const text = JSON.stringify(payload);
    const size = Buffer.byteLength(text);
    const comma = texts.length > 0 ? 1 : 0;
    const isFull = texts.length === MAX_PAYLOADS || bytes + comma + size > maxBytes;
    if (texts.length > 0 && isFull) yield cut();
    bytes += size + (texts.length > 0 ? 1 : 0);
    texts.push(text);
  }
  if (texts.length > 0) yield cut();
}
