import type { PayloadType } from "@riskgate/core";
import type { Application } from "../storage/applications.js";
import type { OutboxPayload } from "../storage/outbox.js";

/** A payload that was made, before anybody asked whether it is wanted. */
export type OutgoingPayload = OutboxPayload;

/** Tell whether payloads of a type go anywhere: they are enabled, and there is an endpoint. */
export function isWanted(application: Application, type: PayloadType): boolean {
  const { webhookUrl, disabledAt, payloadTypes } = application;
  return webhookUrl !== null && disabledAt === null && payloadTypes.includes(type);
}

/** Tell whether security events of a kind are delivered. */
export function isKindWanted(application: Application, kind: string | undefined): boolean {
  const { eventKinds } = application;
  return (
    isWanted(application, "security_event") && (eventKinds?.some((one) => one === kind) ?? true)
  );
}
