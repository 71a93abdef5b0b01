import type { ReactNode } from "react";
import type { Severity } from "../genre-text.js";
import { Badge, type Tone } from "./badge.js";

const TONES: Readonly<Record<Severity, Tone>> = {
  critical: "severe",
  high: "bad",
  medium: "warn",
  low: "dim",
};

export function SeverityBadge({ severity }: { readonly severity: Severity }): ReactNode {
  return <Badge tone={TONES[severity]}>{severity}</Badge>;
}
