import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as testing from "../../src/index.js";

const page = readFileSync(new URL("../../../../docs/conformance.md", import.meta.url), "utf8");
const { receiverContract, lookupApiContract } = testing;

describe("docs/conformance.md", () => {
  it.each([
    ["receiverContract", "RCV", receiverContract],
    ["lookupApiContract", "API", lookupApiContract],
  ] as const)("lists every case of %s, in order", (_, group, contract) => {
    const rows = page.matchAll(/^\| ([A-Z]{3}-\d\d) +\| (must|should) +\| (.+?) +\|$/gm);
    const listed = [...rows].map(([, id, level, title]) => `${id} ${level} ${title}`);
    expect(listed.filter((row) => row.startsWith(group))).toEqual(
      contract.map(({ id, level, title }) => `${id} ${level} ${title}`),
    );
  });

  it("explains every contract that is exported", () => {
    const names = Object.keys(testing).filter((name) => name.endsWith("Contract"));
    expect(names.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
  });
});
