import type { RecordedEvent } from "@riskgate/api-types";
import { textIn } from "../shown-value.js";
import type { Column } from "./data-table.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { Tag } from "./tag.js";
import { Time } from "./time.js";

/** Columns of every table of security events. */
export const EVENT_COLUMNS: readonly Column<RecordedEvent>[] = [
  {
    title: "Event",
    cell: ({ id, kind }) => (
      <ForeignLink href={`/events/${encodeURIComponent(id)}`}>{kind}</ForeignLink>
    ),
  },
  { title: "Occurred", cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { title: "Risk", cell: ({ highRisk }) => (highRisk ? <Tag>high</Tag> : "") },
  {
    title: "Description",
    cell: ({ payload }) => (
      <Foreign>{textIn(payload, "humanized_description") || "erased"}</Foreign>
    ),
  },
];
