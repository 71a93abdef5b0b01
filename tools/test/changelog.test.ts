import { describe, expect, it } from "vitest";
import { hasSection, withRelease } from "../changelog.mjs";

const HEAD = "# Changelog\n\nAll changes.\n\n## [Unreleased]\n";
const EARLIER = "## [0.1.0] - 2027-01-01\n\n### Added\n\n- The gate.\n";
const release = { version: "0.2.0", date: "2027-01-31", changes: [] };

describe("withRelease", () => {
  it("makes a section of what is unreleased, and leaves earlier ones", () => {
    const text = `${HEAD}\n### Added\n\n- A cache.\n\n${EARLIER}`;
    expect(withRelease(text, release)).toBe(
      `${HEAD}\n## [0.2.0] - 2027-01-31\n\n### Added\n\n- A cache.\n\n${EARLIER}`,
    );
  });

  it("files changesets under the heading of their type", () => {
    const text = `${HEAD}\n### Added\n\n- A cache.\n\n### Removed\n\n- A name.\n\n${EARLIER}`;
    const changes = [
      { type: "patch", summary: "A leak." },
      { type: "minor", summary: "A store,\non two lines.\n" },
      { type: "patch", summary: "A race." },
      { type: "major", summary: "A default." },
    ] as const;
    expect(withRelease(text, { ...release, changes })).toBe(
      `${HEAD}
## [0.2.0] - 2027-01-31

### Added

- A cache.
- A store,
  on two lines.

### Removed

- A name.

### Fixed

- A leak.
- A race.

### Changed

- A default.

${EARLIER}`,
    );
  });

  it("writes the first section of all", () => {
    const changes = [{ type: "minor", summary: "The gate." }] as const;
    expect(withRelease(HEAD, { ...release, changes })).toBe(
      `${HEAD}\n## [0.2.0] - 2027-01-31\n\n### Added\n\n- The gate.\n`,
    );
  });

  it("refuses a version that is there, an empty one, and a changelog of another form", () => {
    const there = { ...release, version: "0.1.0" };
    expect(() => withRelease(`${HEAD}\n${EARLIER}`, there)).toThrow("has a section for 0.1.0");
    expect(() => withRelease(`${HEAD}\n${EARLIER}`, release)).toThrow("nothing to release");
    expect(() => withRelease(EARLIER, release)).toThrow('no heading "## [Unreleased]"');
  });
});

describe("hasSection", () => {
  it("knows the versions of a changelog", () => {
    expect(hasSection(`${HEAD}\n${EARLIER}`, "0.1.0")).toBe(true);
    expect(hasSection(`${HEAD}\n${EARLIER}`, "0.1")).toBe(false);
    expect(hasSection(HEAD, "0.1.0")).toBe(false);
  });
});
