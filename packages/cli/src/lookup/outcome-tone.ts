import type { Outcome } from "@riskgate/core";
import type { Tone } from "../terminal/terminal.js";

export const OUTCOME_TONES: Readonly<Record<Outcome, Tone>> = {
  allow: "good",
  flag: "warn",
  challenge: "warn",
  reject: "bad",
};
