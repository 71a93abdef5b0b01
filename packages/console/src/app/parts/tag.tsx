import type { ReactNode } from "react";

const TONES: Readonly<Record<string, string>> = {
  allow: "good",
  flag: "warn",
  challenge: "accent",
  reject: "bad",
  delivered: "good",
  on: "good",
  updated: "good",
  valid: "good",
  pending: "warn",
  "goes on": "warn",
  high: "bad",
  listed: "bad",
  dead: "bad",
  disabled: "bad",
  refused: "bad",
  failing: "warn",
};

/** A state in one word; its colour says nothing that the word does not. */
export function Tag({ children }: { readonly children: string }): ReactNode {
  return <span className={`tag ${TONES[children] ?? "dim"}`}>{children}</span>;
}
