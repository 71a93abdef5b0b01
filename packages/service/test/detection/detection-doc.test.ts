import { readFileSync } from "node:fs";
import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { GENRE_RULES } from "../../src/detection/incidents/genre-rule.js";
import { EVENT_KIND_FACTS } from "../../src/model/event-kind.js";
import { DETECTION_DEFAULTS } from "../../src/detection/detection-settings.js";
import { readPlaybook } from "../../src/detection/playbooks/playbook.js";

const text = readFileSync(new URL("../../../../docs/detection.md", import.meta.url), "utf8");

/** Cells of every row of a table, without their blanks. */
const rows = text
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const yes = (flag: boolean): string => (flag ? "yes" : "no");

describe("docs/detection.md", () => {
  it.each(EVENT_KINDS)("says of %s what the code says", (kind) => {
    const { category, isHighRisk, isAccountActing } = EVENT_KIND_FACTS[kind];
    const row = rows.find(([name, second]) => name === `\`${kind}\`` && second === category);
    expect(row?.slice(2, 4)).toEqual([yes(isHighRisk), yes(isAccountActing)]);
  });

  it("has the genres in the order of the vocabulary, with their events", () => {
    const genres = Object.keys(INCIDENT_GENRES);
    const listed = rows.filter(([name]) => genres.some((genre) => name === `\`${genre}\``));
    expect(listed.map(([name]) => name)).toEqual(genres.map((genre) => `\`${genre}\``));
    for (const { genre, kinds, least } of GENRE_RULES) {
      const [, from, setting] = listed.find(([name]) => name === `\`${genre}\``) ?? [];
      for (const kind of kinds) expect(from).toContain(`\`${kind}\``);
      expect(setting).toBe(
        least === 1 ? "always 1" : `\`${least}\`, ${DETECTION_DEFAULTS.incidents[least]}`,
      );
    }
  });

  it.each(
    Object.entries({
      ...DETECTION_DEFAULTS.logins,
      ...DETECTION_DEFAULTS.incidents,
      ...DETECTION_DEFAULTS.peaks,
      maxSubjects: DETECTION_DEFAULTS.maxSubjects,
      maxLagMs: DETECTION_DEFAULTS.maxLagMs,
    }),
  )("names the setting %s with its default %d", (name, value) => {
    const number = value.toLocaleString("en");
    const spellings = [`\`${name}\`, ${number}`, `\`${name}\` (${number})`];
    const isInTable = rows.some(([first, second]) => first === `\`${name}\`` && second === number);
    expect(isInTable || spellings.some((spelling) => text.includes(spelling))).toBe(true);
  });

  it("shows a playbook that can be read", () => {
    const example = /## Playbooks[\s\S]*?```json\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
    expect(readPlaybook(JSON.parse(example))).toMatchObject({
      response: { durationMs: 3_600_000 },
    });
  });
});
