import type { IncidentHistory } from "@riskgate/api-types";
import { isRelease } from "./response-text.js";
import { targetsOf } from "./shown-value.js";

export type MarkerKind = "start" | "block" | "release" | "comment" | "close" | "end";

/** A moment of an incident that is more than one of its events. */
export interface Marker {
  readonly kind: MarkerKind;
  readonly at: string;
  readonly text: string;
}

const MAX_TARGETS = 3;

/** Everything that happened around the events of an incident, in order. */
export function markersOf({
  incident,
  responses,
  comments,
}: Pick<IncidentHistory, "incident" | "responses" | "comments">): readonly Marker[] {
  const closed = comments.some(({ action }) => action === "close");
  return [
    { kind: "start" as const, at: incident.startedAt, text: "The incident begins" },
    ...responses.map((one) => ({
      kind: isRelease(one) ? ("release" as const) : ("block" as const),
      at: one.createdAt,
      text: `${isRelease(one) ? "Release" : "Block"} of ${targetText(targetsOf(one))}`,
    })),
    ...comments.map(({ at, action, text }) => ({
      kind: action,
      at,
      text: action === "comment" ? text : `Closed by an operator${text === "" ? "" : `: ${text}`}`,
    })),
    ...(incident.endedAt !== null && !closed
      ? [{ kind: "end" as const, at: incident.endedAt, text: "The incident ends" }]
      : []),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function targetText(targets: readonly string[]): string {
  const left = targets.length - MAX_TARGETS;
  const text = targets
    .slice(0, MAX_TARGETS)
    .map((one) => one.replace(/\/(?:32|128)$/, ""))
    .join(", ");
  return left > 0 ? `${text} and ${left} more` : text;
}
