import { channel, type DiagnosticChannel } from "../base/platform.js";
import type { Receipt } from "./receipt.js";

/** Message on the channel `riskgate:delivery`: the result of one delivery, in counts. */
export interface DeliveryMessage extends Pick<
  Receipt,
  "status" | "code" | "secretId" | "handled" | "duplicates" | "pending"
> {
  readonly ignored: number;
  readonly failed: number;
}

export const deliveryChannel: DiagnosticChannel<DeliveryMessage> = channel("riskgate:delivery");
