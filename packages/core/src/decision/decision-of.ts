import type { Decision } from "../model/decision.js";
import type { Judged } from "../model/judged.js";
import type { Verdict } from "./step.js";

/** Makes the decision of a verdict, with the evidence behind it. */
export function decisionOf(
  { outcome, because, rule }: Verdict,
  enforced: boolean,
  { evidence, score }: Pick<Judged, "evidence" | "score">,
): Decision {
  const decision = { outcome, enforced, because, score, ...evidence };
  return rule ? { ...decision, rule } : decision;
}
