import { isUtf8 } from "node:buffer";
import type { Receipt } from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import { splitDelivery } from "@riskgate/core/payloads";

/** Contents of a job: a delivery as it was accepted, or one of its elements as an array. */
export interface InboxJob {
  /** The bytes as text; in base64 if they are not UTF-8. */
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

/** Whether the data of a job is ours: tools can put anything into a queue. */
export function isJob(data: unknown): data is InboxJob {
  return typeof (data as Partial<InboxJob> | null)?.body === "string";
}

/** Stands for one that is not. */
export const NO_JOB: InboxJob = { body: "", secretId: "" };

/** Makes the job of a delivery, or of one element of it. */
export function jobOf({ body, secretId, firstIndex }: AcceptedDelivery): InboxJob {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const place = firstIndex === undefined ? {} : { index: firstIndex };
  if (isUtf8(bytes)) return { body: bytes.toString("utf8"), secretId, ...place };
  return { body: bytes.toString("base64"), isBase64: true, secretId, ...place };
}

/** Makes a delivery of a job again. */
export function deliveryOf({ body, isBase64, secretId, index }: InboxJob): AcceptedDelivery {
  const bytes = Buffer.from(body, isBase64 ? "base64" : "utf8");
  return { body: bytes, secretId, ...(index !== undefined && { firstIndex: index }) };
}

/**
 * Takes a delivery apart.
 *
 * @param starts How often its handling was begun, which counts for each element.
 * @returns A job for each element, in order; the job itself where it cannot be taken apart.
 */
export function elementJobs(job: InboxJob, starts: number): readonly InboxJob[] {
  return splitDelivery(deliveryOf(job)).map((element) => ({ ...jobOf(element), starts }));
}

/** Positions of the elements to retry; undefined if the receipt does not name them. */
export function failedIndexes({ failed, pending }: Receipt): ReadonlySet<number> | undefined {
  if (pending > 0 || failed.length === 0) return undefined;
  return new Set(failed.map(({ index }) => index));
}
