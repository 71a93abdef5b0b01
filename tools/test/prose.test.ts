import { describe, expect, it } from "vitest";
import { HABITS, habitsIn } from "./habit.js";
import { proseOf } from "./prose.js";
import { type TrackedFile, trackedFiles } from "./tracked-source.js";

/** Places that have a habit. The figures only fall: lower one whenever the text is below it. */
const MOST = { docs: 0, source: 25, rest: 440 };

const PATTERNS: Record<keyof typeof MOST, RegExp> = {
  docs: /(?:\.md|openapi\.yaml)$/,
  source: /^packages\/[^/]+\/src\/.*\.tsx?$/,
  rest: /^(?:packages\/[^/]+\/test|tools|bench|examples|docs\/\.vitepress)\/.*\.(?:tsx?|mjs)$/,
};
/** The patterns and their examples. */
const OWN = /^tools\/test\/(?:habit|prose\.test)\.ts$/;

/** One line for each place, below the habit and its rewrite. */
function reportOf(files: readonly TrackedFile[]): { count: number; report: string } {
  const places = files.flatMap((file) =>
    habitsIn(proseOf(file)).map((place) => ({ ...place, path: file.path })),
  );
  const parts = HABITS.map(({ name, rewrite }) => {
    const found = places.filter(({ habit }) => habit.name === name);
    const lines = found.map(({ path, line, text }) => `  ${path}:${line} ${text}`);
    return found.length === 0 ? "" : `\n"${name}": ${rewrite}\n${lines.join("\n")}`;
  });
  return { count: places.length, report: parts.join("") };
}

describe("prose", () => {
  it.each(["docs", "source", "rest"] as const)("of %s has no more habits than recorded", (part) => {
    const files = trackedFiles(PATTERNS[part]).filter(({ path }) => !OWN.test(path));
    const { count, report } = reportOf(files);
    expect(count, report).toBeLessThanOrEqual(MOST[part]);
  });
});

describe("the search of habits", () => {
  const examples: Record<string, string> = {
    "is no": "This is no address.",
    "who does": "It waits. Who asks twice gets nothing.",
    "where for if": "It stops, where the file is missing.",
    "of its own": "A file of its own.",
    "for what": "It pays for what it keeps.",
    "is told": "The caller is told.",
    "stands, lies": "The file lies beside it.",
    "bears, hears, lets go": "It lets go.",
    "What the X needs": "/** What the gate needs. */",
    "anything but": "Anything but a string.",
    "such a": "In such a file.",
    "a metaphor": "The scores it owes.",
  };

  it.each(HABITS)("finds $name", ({ name }) => {
    expect(habitsIn(examples[name] ?? "").map(({ habit }) => habit.name)).toEqual([name]);
  });

  it("reads documents without their code", () => {
    const text = "One is none.\n```js\n// Two is none.\n```\n";
    expect(habitsIn(proseOf({ path: "a.md", text })).map(({ line }) => line)).toEqual([1]);
  });

  it("reads comments, messages and the text of components, and no code", () => {
    const text = [
      "/** This is no address. */",
      'const name = "is no"; // It is no name.',
      "const message = `${name} is no address`;",
      "const view = <p>This is no address</p>;",
    ].join("\n");
    expect(habitsIn(proseOf({ path: "a.tsx", text })).map(({ line }) => line)).toEqual([
      1, 2, 2, 3, 4,
    ]);
    expect(proseOf({ path: "a.ts", text: 'const url = "http://x"; // Why\nrun("a//b");' })).toBe(
      `${" ".repeat(24)}// Why\n${" ".repeat(12)}`,
    );
  });
});
