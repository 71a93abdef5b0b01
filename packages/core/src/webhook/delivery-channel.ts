import { channel, type DiagnosticChannel } from "../base/platform.js";
import type { Receipt } from "./receipt.js";

/** Message of the channel `riskgate:delivery`: what became of one delivery, in counts. */
export interface DeliveryMessage extends Pick<
  Receipt,
  "status" | "code" | "secretId" | "handled" | "duplicates" | "pending"
> {
  readonly ignored: number;
  readonly failed: number;
}

/** The channel `riskgate:delivery`. */
export const deliveryChannel: DiagnosticChannel<DeliveryMessage> = channel("riskgate:delivery");
