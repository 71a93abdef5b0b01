import { isWanted } from "../detection/events/wanted-payload.js";
import type { Application } from "../model/application.js";
import type { OutgoingPayload } from "../model/delivery.js";
import type { Storage } from "../storage/storage.js";

/** Appends a payload for delivery. Returns false if the application does not want it. */
export async function sendPayload(
  { outbox }: Pick<Storage, "outbox">,
  application: Application,
  payload: OutgoingPayload,
): Promise<boolean> {
  if (!isWanted(application, payload)) return false;
  await outbox.add(application.id, [payload]);
  return true;
}
