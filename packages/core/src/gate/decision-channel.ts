import { channel } from "node:diagnostics_channel";
import type { DiagnosticChannel } from "../base/diagnostic-channel.js";
import type { Decision } from "./decision.js";

/** Message of the channel `riskgate:decision`: one decision of a gate, without its evidence. */
export type DecisionMessage = Pick<Decision, "outcome" | "enforced" | "because" | "score">;

/** The channel `riskgate:decision`. */
export const decisionChannel: DiagnosticChannel<DecisionMessage> = channel("riskgate:decision");
