import { FLAG_ABOVE, type Outcome, REJECT_ABOVE } from "@riskgate/core";
import type { Tone } from "../terminal/terminal.js";

/** What the thresholds of a gate, as they are by default, make of a score: nothing is challenged. */
export type Verdict = Exclude<Outcome, "challenge">;

/** Judge a score as a gate does by default. */
export function verdictOf(score: number): Verdict {
  if (score > REJECT_ABOVE) return "reject";
  return score > FLAG_ABOVE ? "flag" : "allow";
}

/** Colour of each verdict. */
export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  allow: "good",
  flag: "warn",
  reject: "bad",
};
