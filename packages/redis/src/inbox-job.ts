import { isUtf8 } from "node:buffer";
import type { AcceptedDelivery, Receipt } from "@riskgate/core";
import { elementTexts } from "@riskgate/core/adapter";

/** What a job holds: a delivery as it was accepted, or one element of it as an array of its own. */
export interface InboxJob {
  /** The bytes as text; in base64 where they are not UTF-8. */
  readonly body: string;
  readonly isBase64?: true;
  readonly secretId: string;
  /** Place of an element in its delivery; missing for a whole one. */
  readonly index?: number;
  /** How often the handling was begun before this job was made. */
  readonly starts?: number;
  /** How often the job was put off without a start. */
  readonly postponed?: number;
}

/** Make the job of a delivery. */
export function jobOf({ body, secretId }: AcceptedDelivery): InboxJob {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isUtf8(bytes)) return { body: bytes.toString("utf8"), secretId };
  return { body: bytes.toString("base64"), isBase64: true, secretId };
}

/** Make a delivery of a job again. */
export function deliveryOf({ body, isBase64, secretId, index }: InboxJob): AcceptedDelivery {
  const bytes = Buffer.from(body, isBase64 ? "base64" : "utf8");
  return { body: bytes, secretId, ...(index !== undefined && { firstIndex: index }) };
}

/**
 * Take a delivery apart.
 *
 * @param starts How often its handling was begun, which counts for each element.
 * @returns A job for each element, in order; the job itself where it cannot be taken apart.
 */
export function elementJobs(job: InboxJob, starts: number): readonly InboxJob[] {
  const { body, isBase64, secretId, index } = job;
  const whole = [{ ...job, starts, postponed: 0 }];
  if (index !== undefined || isBase64) return whole;
  const text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
  const count = arrayLength(text);
  if (count < 2) return whole;
  return elementTexts(text, count).map((element, at) => ({
    body: `[${element}]`,
    secretId,
    index: at,
    starts,
  }));
}

/** Places of the elements that need another try; undefined where the receipt does not say. */
export function failedIndexes({ failed, pending }: Receipt): ReadonlySet<number> | undefined {
  if (pending > 0 || failed.length === 0) return undefined;
  return new Set(failed.map(({ index }) => index));
}

function arrayLength(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0;
  }
}
