import type { ReactNode } from "react";
import { capitalized } from "../shown-value.js";

export type Tone = "good" | "warn" | "bad" | "info" | "dim" | "severe";

const TONES: Readonly<Record<string, Tone>> = {
  allow: "good",
  flag: "warn",
  challenge: "info",
  reject: "bad",
  fraud: "bad",
  legitimate: "good",
  delivered: "good",
  on: "good",
  updated: "good",
  valid: "good",
  pending: "info",
  high: "bad",
  listed: "bad",
  dead: "bad",
  disabled: "bad",
  refused: "bad",
  failing: "warn",
};

/** A state in one or two words; its colour adds no information. */
export function Badge({
  children,
  tone = TONES[children] ?? "dim",
}: {
  readonly children: string;
  readonly tone?: Tone;
}): ReactNode {
  return <span className={`badge ${tone}`}>{capitalized(children)}</span>;
}
