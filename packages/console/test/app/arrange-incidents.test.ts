import type { IncidentGenre, RecordedIncident } from "@riskgate/api-types";
import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { arrangeIncidents } from "../../src/app/arrange-incidents.js";
import { GENRE_TEXTS } from "../../src/app/genre-text.js";
import { kindText } from "../../src/app/kind-text.js";

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
  it("are newest first, or by their events", () => {
    const group = "none";
    expect(idsOf(arrangeIncidents(INCIDENTS, { group }).rows)).toEqual([
      "takeover",
      "scan",
      "old takeover",
    ]);
    expect(idsOf(arrangeIncidents(INCIDENTS, { group, sort: "oldest" }).rows)).toEqual([
      "old takeover",
      "scan",
      "takeover",
    ]);
    expect(idsOf(arrangeIncidents(INCIDENTS, { group, sort: "events" }).rows)).toEqual([
      "scan",
      "takeover",
      "old takeover",
    ]);
  });

  it("are grouped by genre, the most severe first", () => {
    const { groups } = arrangeIncidents(INCIDENTS, {});
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
    expect(kindText("toString")).toBe("toString");
  });
});
