import type { AdminAnswer } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Facts, Foreign, ForeignLink } from "../parts/foreign.js";
import { Page } from "../parts/page.js";
import { type Column, RowList } from "../parts/row-list.js";
import { Section } from "../parts/section.js";
import { useAnswer } from "../parts/use-answer.js";
import { Waiting } from "../parts/waiting.js";
import { shownBytes, shownCount, shownDuration } from "../shown-value.js";

type System = AdminAnswer<"GET /system">;

const REFRESH_MS = 5_000;

/** From here on, a process warns of its clock. */
const MAX_DIFFERENCE_MS = 2_000;

const PROCESSES: readonly Column<System["processes"][number]>[] = [
  { title: "Process", grow: true, cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Partitions", numeric: true, cell: ({ partitions }) => shownCount(partitions) },
  { title: "Clock", cell: ({ clockAheadMs }) => <ClockDifference aheadMs={clockAheadMs} /> },
];

const APPLICATIONS: readonly Column<System["applications"][number]>[] = [
  {
    title: "Application",
    cell: ({ id, name }) => <ForeignLink href={`/applications/${id}`}>{name}</ForeignLink>,
  },
  { title: "Detection lag", cell: ({ lagMs }) => (lagMs === 0 ? "0 s" : shownDuration(lagMs)) },
  {
    title: "Owner",
    grow: true,
    cell: ({ owner }) =>
      owner === null ? <span className="warn">none</span> : <Foreign>{owner}</Foreign>,
  },
];

/** The processes of the service, their clocks, and the applications that they work for. */
export function SystemPage(): ReactNode {
  const query = useAnswer("GET /system", {}, { refetchInterval: REFRESH_MS });
  return (
    <Page
      title="System"
      about="Each application has one process that detects and delivers. If it stops, another takes over within seconds."
    >
      <Waiting query={query} />
      {query.data && (
        <>
          <Section title="This process" about="The one that answers this page.">
            <Facts facts={factsOf(query.data)} />
          </Section>
          <Section title="Processes" about="Clocks are compared with that of the database.">
            <RowList
              label="Processes"
              columns={PROCESSES}
              rows={query.data.processes}
              empty="No process"
            />
          </Section>
          <Section title="Applications" about="Those furthest behind come first.">
            <RowList
              label="Applications"
              columns={APPLICATIONS}
              rows={query.data.applications}
              empty="No applications"
            />
          </Section>
        </>
      )}
    </Page>
  );
}

function factsOf({ self, usage }: System): readonly (readonly [string, ReactNode])[] {
  return [
    ["Running for", shownDuration(self.uptimeSeconds * 1_000)],
    ["Memory", shownBytes(self.memoryBytes)],
    ["Database", shownBytes(usage.databaseBytes)],
    ["Free on its disk", usage.freeBytes === undefined ? "unknown" : shownBytes(usage.freeBytes)],
    ["Node.js", self.node],
  ];
}

function ClockDifference({ aheadMs }: { readonly aheadMs: number }): ReactNode {
  if (Math.abs(aheadMs) <= MAX_DIFFERENCE_MS)
    return `in sync, ${shownCount(Math.round(Math.abs(aheadMs)))} ms`;
  const text = `${shownDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead" : "behind"}`;
  return <span className="warn">{text}</span>;
}
