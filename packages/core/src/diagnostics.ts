import { channel } from "node:diagnostics_channel";
import type { Decision, Source } from "./decision.js";
import type { ErrorCode } from "./errors.js";
import type { Receipt } from "./receipt.js";

/** What can be asked about. */
export type LookupType = "ip" | "email";

/** Message of the channel `riskgate:lookup`: how one lookup of a client ended, without personal data. */
export interface LookupMessage {
  readonly type: LookupType;
  /** Where the answer came from, or the code of the error. */
  readonly result: Source | ErrorCode;
  readonly durationMs: number;
  /** Requests sent, for this lookup and those that shared its call; 0 when none was needed. */
  readonly attempts: number;
}

/** A channel of `node:diagnostics_channel` with the type of its messages. */
export interface DiagnosticChannel<Message> {
  /** False while nobody listens: then no message needs to be made. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}

/** The channel `riskgate:lookup`. */
export const lookupChannel: DiagnosticChannel<LookupMessage> = channel("riskgate:lookup");

/** Message of the channel `riskgate:decision`: one decision of a gate, without its evidence. */
export type DecisionMessage = Pick<Decision, "outcome" | "enforced" | "because" | "score">;

/** The channel `riskgate:decision`. */
export const decisionChannel: DiagnosticChannel<DecisionMessage> = channel("riskgate:decision");

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
