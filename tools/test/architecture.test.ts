import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOptions } from "../../packages/core/src/adapter.js";
import { readGate } from "../../packages/core/src/gate/steps.js";
import { createVelocity } from "../../packages/core/src/velocity.js";
import { root } from "../workspace.mjs";
import { exportedNames } from "./exported-names.js";
import { trackedFiles } from "./tracked-source.js";

const read = (page: string): string => readFileSync(join(root, "docs", page), "utf8");
const sources = trackedFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/);

// `layers.test.ts` compares the tables of packages and folders, `house.test.ts` the size of adapters.
describe("docs/architecture.md", () => {
  it("lists every contract", () => {
    const listed = [...read("architecture.md").matchAll(/^\| `(\w+Contract)`/gm)].map(
      ([, name]) => name,
    );
    const exported = exportedNames("packages/testing/src/index.ts", sources);
    const contracts = exported.filter((name) => /^[a-z]\w+Contract$/.test(name));
    expect(new Set(listed)).toEqual(new Set(contracts));
  });
});

describe("docs/steps.md", () => {
  it("lists the steps in the order of the gate", () => {
    const [, listed = ""] = /list of steps: (.*?)\. /.exec(read("steps.md")) ?? [];
    const lookup = { lookupIp: () => {}, lookupEmail: () => {} };
    const options = {
      lookup,
      velocity: createVelocity(),
      allow: ["192.0.2.1"],
      rules: [],
      steps: [{ name: "your steps", judge: () => undefined }],
      log: { record() {} },
    };
    const { steps } = readOptions("createGate", options, readGate);
    const names = steps.map(({ name }) => name);
    expect(
      listed
        .replace(/ \(.*?\)/, "")
        .replaceAll("`", "")
        .split(", "),
      // What only gates of HTTP requests do comes before and after the steps of every gate.
    ).toEqual(["device", ...names, "attack", "challenge", "hand-over"]);
  });
});

describe("docs/decisions", () => {
  it("name the only file that maps codes to statuses", () => {
    const [, file = ""] =
      /`([^`]+)` is the only file that maps codes to statuses/.exec(
        read("decisions/one-place.md"),
      ) ?? [];
    const mapped = sources.filter((source) => /\bRISK_REJECTED: \[?403/.test(source.text));
    expect(mapped.map(({ path }) => path)).toEqual([`packages/core/src/${file}`]);
  });

  it("are right that no package checks errors of another by instanceof", () => {
    const wrong = sources.filter(
      ({ path, text: source }) =>
        !path.startsWith("packages/core/") && source.includes("instanceof RiskGateError"),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
