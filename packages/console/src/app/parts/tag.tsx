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
  ongoing: "warn",
  high: "bad",
  listed: "bad",
  dead: "bad",
  disabled: "bad",
  refused: "bad",
  failing: "warn",
};

/** A state in one word; its colour adds no information. */
export function Tag({ children }: { readonly children: string }): ReactNode {
  return <span className={`tag ${TONES[children] ?? "dim"}`}>{children}</span>;
}
