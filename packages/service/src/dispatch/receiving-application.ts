import type { Application } from "../storage/applications.js";

/** An application that takes deliveries. */
type ReceivingApplication = Application & { readonly webhookUrl: string };

/** Tell whether an application takes deliveries at all. */
export function isReceiving(
  application: Application | undefined,
): application is ReceivingApplication {
  return (
    application !== undefined && application.webhookUrl !== null && application.disabledAt === null
  );
}
