import type { AdminAnswer } from "@riskgate/api-types";
import type { ReactNode } from "react";
import type { Axis } from "../chart-steps.js";
import { BarChart } from "./bar-chart.js";
import { Section } from "./section.js";

/** Events and open incidents over time. */
export function ActivityCharts({
  activity: { stepMs, steps, isPartial },
  axis,
}: {
  readonly activity: AdminAnswer<"GET /activity">;
  readonly axis: Axis;
}): ReactNode {
  const events = steps.map(({ at, events: all, highRisk }) => ({
    startMs: Date.parse(at),
    counts: { high: highRisk, other: all - highRisk },
  }));
  const incidents = steps.map(({ at, openIncidents }) => ({
    startMs: Date.parse(at),
    counts: { incidents: openIncidents },
  }));
  return (
    <>
      <Section title="Events" {...(isPartial && { about: "Only the newest 50,000 are counted." })}>
        <BarChart
          label="Events over time"
          series={[
            { name: "high", title: "high risk" },
            { name: "other", title: "ordinary" },
          ]}
          steps={events}
          stepMs={stepMs}
          axis={axis}
        />
      </Section>
      <Section title="Open incidents">
        <BarChart
          label="Open incidents over time"
          series={[
            {
              name: "incidents",
              title: "open at the end",
              figure: steps.at(-1)?.openIncidents ?? 0,
            },
          ]}
          steps={incidents}
          stepMs={stepMs}
          axis={axis}
        />
      </Section>
    </>
  );
}
