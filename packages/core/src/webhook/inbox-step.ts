import { isUtf8 } from "node:buffer";
import { parseShallowJson } from "../base/shallow-json.js";
import { elementTexts } from "./element-identity.js";
import type { AcceptedDelivery } from "./inbox.js";
import type { Receipt } from "./receipt.js";

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Splits a delivery into its elements.
 * @returns Each element as a separate delivery, in order; the delivery itself if it has fewer than
 * two elements or cannot be split.
 */
export function splitDelivery(delivery: AcceptedDelivery): readonly AcceptedDelivery[] {
  const { body, secretId, firstIndex } = delivery;
  if (firstIndex !== undefined || !isUtf8(body)) return [delivery];
  const decoded = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const text = decoded.charCodeAt(0) === BYTE_ORDER_MARK ? decoded.slice(1) : decoded;
  const count = arrayLength(text);
  if (count < 2) return [delivery];
  return elementTexts(text, count).map((element, at) => ({
    body: Buffer.from(`[${element}]`),
    secretId,
    firstIndex: at,
  }));
}

/**
 * Returns the next step for a stored delivery from its receipt: none, a retry that counts as an
 * attempt, or one that does not count, because no remaining handler was started.
 */
export function nextStep({ code, failed, pending }: Receipt): "done" | "retry" | "postpone" {
  if (code === undefined && failed.length === 0 && pending === 0) return "done";
  const isHeld = code === "HANDLER_BUSY" || code === "STORE_FAILED";
  return isHeld && failed.length === 0 ? "postpone" : "retry";
}

function arrayLength(text: string): number {
  try {
    const value = parseShallowJson(text);
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0;
  }
}
