import { isWanted } from "../detection/events/wanted-payload.js";
import type { Application } from "../model/application.js";
import type { OutgoingPayload } from "../model/delivery.js";
import type { Storage } from "../storage/storage.js";

/**
 * Queues the payloads that the application wants, in order.
 *
 * @returns True if any payload was queued.
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
