import type { Overview } from "@riskgate/api-types";
import { FLAG_ABOVE, REJECT_ABOVE } from "@riskgate/core";
import type { ReactNode } from "react";
import { type Axis, chartSteps } from "../chart-steps.js";
import { BarChart } from "./bar-chart.js";

const SERIES = [
  { name: "allow", title: `allow, up to ${FLAG_ABOVE}` },
  { name: "flag", title: `flag, above ${FLAG_ABOVE}` },
  { name: "reject", title: `reject, above ${REJECT_ABOVE}` },
  { name: "refused", title: "refused, invalid" },
  { name: "limited", title: "refused, over a limit" },
  { name: "failed", title: "failed" },
] as const;

const NAMES = SERIES.map(({ name }) => name);

/** Lookups by outcome. */
export function LookupChart({
  lookups,
  axis,
}: {
  readonly lookups: Overview["lookups"]["steps"];
  readonly axis: Axis;
}): ReactNode {
  const counted = lookups.map((counts) => ({ startMs: Date.parse(counts.at), counts }));
  return (
    <BarChart
      label="Lookups by outcome"
      series={SERIES}
      axis={axis}
      countedSinceMs={counted[0]?.startMs}
      {...chartSteps(counted, { names: NAMES, axis })}
    />
  );
}
