import type { IncidentGenre, RecordedIncident } from "@riskgate/api-types";
import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { arrangeIncidents } from "../../src/app/arrange-incidents.js";
import { GENRE_GROUPS, GENRE_TEXTS } from "../../src/app/genre-text.js";
import { KIND_GROUPS, kindText } from "../../src/app/kind-text.js";

const incident = (
  id: string,
  genre: IncidentGenre,
  minute: number,
  events: number,
): RecordedIncident => ({
  seq: 1,
  id,
  applicationId: "shop",
  genre,
  subject: "",
  startedAt: `2026-01-31T12:0${minute}:00.000000+00:00`,
  endedAt: minute === 1 ? `2026-01-31T13:00:00.000000+00:00` : null,
  updatedAt: "",
  payload: { incidents_count: events },
});

const INCIDENTS = [
  incident("scan", "http_scan", 2, 900),
  incident("old takeover", "account_takeover_success", 1, 3),
  incident("takeover", "account_takeover_success", 3, 5),
];

const idsOf = (rows: readonly RecordedIncident[]) => rows.map(({ id }) => id);

describe("incidents in a list", () => {
  it.each([
    ["open ones first and then newest first", "", ["takeover", "old scan", "old takeover"]],
    ["newest first", "newest", ["takeover", "old takeover", "old scan"]],
    ["oldest first", "oldest", ["old scan", "old takeover", "takeover"]],
    ["by their events", "events", ["old scan", "takeover", "old takeover"]],
  ])("are %s", (_text, sort, ids) => {
    const incidents = [incident("old scan", "http_scan", 0, 900), ...INCIDENTS.slice(1)];
    const { rows, groups } = arrangeIncidents(incidents, { sort });
    expect(idsOf(rows)).toEqual(ids);
    expect(groups).toBeUndefined();
  });

  it("are grouped by genre, the most severe first", () => {
    const { groups } = arrangeIncidents(INCIDENTS, { group: "genre" });
    expect(groups?.map(({ name, openCount, rows }) => [name, openCount, idsOf(rows)])).toEqual([
      ["Account taken over", 1, ["takeover", "old takeover"]],
      ["Security scan", 1, ["scan"]],
    ]);
  });

  it("are grouped by severity", () => {
    const { groups } = arrangeIncidents(INCIDENTS, { group: "severity" });
    expect(groups?.map(({ name }) => name)).toEqual(["critical", "medium"]);
  });

  it("have a name for every genre, and events for every kind", () => {
    expect(Object.keys(GENRE_TEXTS).toSorted()).toEqual(Object.keys(INCIDENT_GENRES).toSorted());
    expect(EVENT_KINDS.filter((kind) => kindText(kind) === kind)).toEqual([]);
    const inGroups = (groups: readonly (readonly [string, readonly string[]])[]) =>
      groups.flatMap(([, words]) => words).toSorted();
    expect(inGroups(KIND_GROUPS)).toEqual(EVENT_KINDS.toSorted());
    expect(inGroups(GENRE_GROUPS)).toEqual(Object.keys(INCIDENT_GENRES).toSorted());
    expect(kindText("toString")).toBe("toString");
  });
});
