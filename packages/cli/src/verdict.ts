import type { Tone } from "./terminal.js";

/** What the thresholds of a gate, as they are by default, make of a score. */
export type Verdict = "allow" | "flag" | "reject";

/** Both strict. Source: specification, Resources, guidance of `risk_score`. */
const FLAG_ABOVE = 40;
const REJECT_ABOVE = 80;

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
