import type { DiagnosticChannel } from "../base/diagnostic-channel.js";
import { channel } from "../base/platform.js";
import type { Decision } from "../model/decision.js";

/** Message of the channel `riskgate:decision`: one decision of a gate, without its evidence. */
export interface DecisionMessage extends Pick<
  Decision,
  "outcome" | "enforced" | "because" | "score"
> {
  /** Name of the rule that decided, where one did. */
  readonly rule?: string;
}

/** The channel `riskgate:decision`. */
const decisionChannel: DiagnosticChannel<DecisionMessage> = channel("riskgate:decision");

/** Publish a decision, and give it back. */
export function publishDecision(decision: Decision): Decision {
  if (decisionChannel.hasSubscribers) {
    const { outcome, enforced, because, score, rule } = decision;
    const message = { outcome, enforced, because, score };
    decisionChannel.publish(rule ? { ...message, rule: rule.name } : message);
  }
  return decision;
}
