import type { Application } from "../../model/application.js";
import type { OutgoingPayload } from "../../model/delivery.js";
import type { Storage } from "../../storage/storage.js";

/**
 * Whether an application receives a payload: it has an enabled endpoint, and its settings include the
 * type of the payload and, for a security event or an incident, the kind or genre.
 *
 * Asked when a payload is queued and again when it is put into a delivery, since the settings may
 * change in between.
 */
export function isWanted(
  { webhookUrl, disabledAt, payloadTypes, eventKinds, incidentGenres }: Application,
  { type, kind }: Pick<OutgoingPayload, "type" | "kind">,
): boolean {
  if (webhookUrl === null || disabledAt !== null || !payloadTypes.includes(type)) return false;
  const kinds = { security_event: eventKinds, pulse: incidentGenres }[type as string] ?? null;
  return kinds === null || (kind !== undefined && kinds.includes(kind));
}

/**
 * Queues those payloads that the application wants, in their order.
 *
 * @returns Whether there are any.
 */
export async function queuePayloads(
  { outbox }: Pick<Storage, "outbox">,
  application: Application,
  payloads: readonly OutgoingPayload[],
): Promise<boolean> {
  const wanted = payloads.filter((payload) => isWanted(application, payload));
  if (wanted.length > 0) await outbox.add(application.id, wanted);
  return wanted.length > 0;
}
