import { isUtf8 } from "node:buffer";
import type { Receipt } from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import { splitDelivery } from "@riskgate/core/payloads";

/** Contents of a job: an accepted delivery, or one of its elements in an array. */
export interface InboxJob {
  /** The bytes as text; base64 if they are not UTF-8. */
  readonly body: string;
  readonly isBase64?: true;
  readonly secretId: string;
  /** Position of an element in its delivery; missing for a complete delivery. */
  readonly index?: number;
  /** Number of attempts started before this job was created. */
  readonly starts?: number;
  /** Number of times the job was postponed without starting. */
  readonly postponed?: number;
}

/** Returns true if a job's data is ours: tools can add anything to a queue. */
export function isJob(data: unknown): data is InboxJob {
  return typeof (data as Partial<InboxJob> | null)?.body === "string";
}

/** Placeholder for a job that is not ours. */
export const NO_JOB: InboxJob = { body: "", secretId: "" };

/** Converts a delivery, or one element of it, to a job. */
export function jobOf({ body, secretId, firstIndex }: AcceptedDelivery): InboxJob {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const place = firstIndex === undefined ? {} : { index: firstIndex };
  if (isUtf8(bytes)) return { body: bytes.toString("utf8"), secretId, ...place };
  return { body: bytes.toString("base64"), isBase64: true, secretId, ...place };
}

export function deliveryOf({ body, isBase64, secretId, index }: InboxJob): AcceptedDelivery {
  const bytes = Buffer.from(body, isBase64 ? "base64" : "utf8");
  return { body: bytes, secretId, ...(index !== undefined && { firstIndex: index }) };
}

/**
 * Splits a delivery into elements.
 * @param starts Number of attempts started, which applies to each element.
 * @returns A job for each element, in order; the job itself if it cannot be split.
 */
export function elementJobs(job: InboxJob, starts: number): readonly InboxJob[] {
  return splitDelivery(deliveryOf(job)).map((element) => ({ ...jobOf(element), starts }));
}

/** Positions of the elements to retry; undefined if the receipt does not name them. */
export function failedIndexes({ failed, pending }: Receipt): ReadonlySet<number> | undefined {
  if (pending > 0 || failed.length === 0) return undefined;
  return new Set(failed.map(({ index }) => index));
}
