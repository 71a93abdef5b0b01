import { channel, type DiagnosticChannel } from "../base/platform.js";
import type { Decision } from "../model/decision.js";
import type { Step } from "./step.js";

/** Message on the channel `riskgate:decision`: one gate decision, without its evidence. */
export interface DecisionMessage extends Pick<
  Decision,
  "id" | "outcome" | "enforced" | "because" | "score"
> {
  /** Name of the rule that decided; absent if none did. */
  readonly rule?: string;
  /** The flag that decided, by the option `outcomes`; absent if none did. */
  readonly flag?: Decision["flag"];
}

const decisionChannel: DiagnosticChannel<DecisionMessage> = channel("riskgate:decision");

export const channelStep: Step = {
  name: "channel",
  decided({ id, outcome, enforced, because, score, rule, flag }) {
    if (!decisionChannel.hasSubscribers) return;
    const message = { id, outcome, enforced, because, score };
    decisionChannel.publish({
      ...message,
      ...(rule && { rule: rule.name }),
      ...(flag && { flag }),
    });
  },
};
