import type { Application } from "../storage/applications.js";
import type { OutgoingPayload } from "../storage/outbox.js";

/**
 * Whether an application wants a payload: it has an endpoint that is not disabled, the type is
 * enabled, and so is the kind of a security event. Asked when a payload is queued, and again when it
 * is sent, because settings may have changed in between.
 */
export function isWanted(
  application: Application,
  { type, kind }: Pick<OutgoingPayload, "type" | "kind">,
): boolean {
  const { webhookUrl, disabledAt, payloadTypes, eventKinds } = application;
  if (webhookUrl === null || disabledAt !== null || !payloadTypes.includes(type)) return false;
  return type !== "security_event" || (eventKinds?.some((one) => one === kind) ?? true);
}
