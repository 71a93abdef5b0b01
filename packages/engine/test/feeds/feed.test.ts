import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine.js";
import { Feed } from "../../src/feeds/feed.js";
import { codePoint } from "../../../../tools/test/code-point.js";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "feed-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

const TOR_LIST = `ExitNode 0011BD2485AD45D984EC4159C88FC066E5E3300E
Published 2026-01-01 10:11:12
LastStatus 2026-01-01 11:00:00
ExitAddress 1.2.3.4 2026-01-01 11:05:00
ExitNode 00240ECB2B535AA4C1E1874D744DFA6AF2E5E941
Published 2026-01-01 04:00:00
ExitAddress 2.3.4.5 2026-01-01 12:00:00
`;

describe("Feed", () => {
  it("reads entries between comments and blank lines, in any line ending", async () => {
    const text =
      "\uFEFF# list of today\r\n8.8.8.8\r\n\r\n  9.9.9.0/24  ; SBL1\n2600::/32 # six\r; end\n::ffff:7.7.7.7";
    const path = await file("good.txt", text);
    const engine = await createEngine({ feeds: [{ kind: "tor", path, licence: "MIT" }] });
    for (const ip of ["8.8.8.8", "9.9.9.77", "2600::1", "7.7.7.7"]) {
      expect(engine.peekIp(ip)?.assessment.is_tor).toBe(true);
    }
    expect(engine.feeds()).toEqual([
      {
        name: "good.txt",
        kind: "tor",
        size: 4,
        skipped: 0,
        loadedAtMs: expect.any(Number),
        updatedAtMs: expect.any(Number),
        ageMs: expect.any(Number),
        path,
        licence: "MIT",
      },
    ]);
  });

  it("skips and counts lines that are no entry", async () => {
    const path = await file("mixed.txt", "# head\n8.8.8.8\nexample.com\n8.8.8.256\n1.2.3.4/33\n");
    const engine = await createEngine({ feeds: [{ kind: "vpn", path }] });
    expect(engine.feeds()).toMatchObject([{ size: 1, skipped: 3, firstSkippedLine: 3 }]);
  });

  it.each([
    ["HTML", "<!doctype html>\n<title>404</title>\n", "HTML"],
    ["JSON", '{"error": "rate limit"}', "JSON"],
    ["a compressed file", new Uint8Array([0x1f, 0x8b, 8, 0, 0, 1, 2, 3, 0xff]), "binary"],
    ["an empty file", "", "empty"],
    ["nothing but comments", "# one\n# two\n", "2|3 lines"],
    ["domains", "example.com\nexample.org\n", "lines"],
  ])("refuses %s in place of addresses", async (label, content, word) => {
    const path = await file(`${label}.txt`, content);
    const promise = createEngine({ feeds: [{ kind: "datacenter", path }] });
    await expect(promise).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(promise).rejects.toThrow(path);
    await expect(promise).rejects.toThrow(new RegExp(word));
  });

  it.each([
    ["a missing file", "missing.txt"],
    ["a directory", "."],
  ])("refuses %s by its path", async (_label, name) => {
    const path = join(directory, name);
    const promise = createEngine({ feeds: [{ kind: "proxy", path }] });
    await expect(promise).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(promise).rejects.toThrow(path);
  });

  it("takes an empty list, and refuses a list without one entry", async () => {
    const engine = await createEngine({ feeds: [{ kind: "tor", entries: [] }] });
    expect(engine.feeds()).toMatchObject([{ name: "tor", size: 0 }]);
    await expect(
      createEngine({ feeds: [{ kind: "tor", entries: ["example.com"] }] }),
    ).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it.each([
    ["the Tor project's list", "tor", TOR_LIST, ["1.2.3.4", "2.3.4.5"]],
    [
      "columns of a geolocation feed",
      "datacenter",
      "# v1\n5.101.96.0/21,NL,NL-NH,Amsterdam,\n",
      ["5.101.96.0"],
    ],
    ["columns of tabs", "attacker", "8.8.8.8\t10\n9.9.9.9\t2\n", ["8.8.8.8", "9.9.9.9"]],
    ["a document a line", "attacker", '{"cidr":"8.8.8.0/24"}\n{"type":"metadata"}\n', ["8.8.8.8"]],
  ] as const)("reads %s without leaving a line over", async (label, kind, text, addresses) => {
    const path = await file(`${label}.txt`, text);
    const engine = await createEngine({ feeds: [{ kind, path }] });
    expect(engine.feeds()).toMatchObject([{ size: addresses.length, skipped: 0 }]);
    for (const ip of addresses)
      expect(engine.explainIp(ip).signals).toMatchObject([{ name: kind }]);
  });

  it("refuses a page even when one of its lines is an address", async () => {
    const path = await file("page.txt", "<pre>\n8.8.8.8\n</pre>\n");
    await expect(createEngine({ feeds: [{ kind: "tor", path }] })).rejects.toThrow("HTML");
  });

  it("tells the age of a list by the time of its file", async () => {
    const path = await file("old.txt", "8.8.8.8");
    const at = new Date(Date.now() - 3_600_000);
    await utimes(path, at, at);
    const engine = await createEngine({ feeds: [{ kind: "tor", path }] });
    const [info] = engine.feeds();
    expect(info).toMatchObject({ updatedAtMs: at.getTime() });
    expect(info?.ageMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it("takes an optional file that is missing as empty, until it is there", async () => {
    const path = join(directory, "later.txt");
    const engine = await createEngine({ feeds: [{ kind: "tor", path, optional: true }] });
    expect(engine.feeds()).toMatchObject([{ size: 0, path }]);
    expect(engine.feeds()[0]).not.toHaveProperty("ageMs");
    await writeFile(path, "8.8.8.8");
    await engine.reload();
    expect(engine.feeds()).toMatchObject([{ size: 1, ageMs: expect.any(Number) }]);
    await writeFile(path, "");
    await expect(engine.reload()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("refuses addresses in place of domains", async () => {
    await expect(
      createEngine({ feeds: [{ kind: "disposable", entries: ["8.8.8.8"] }] }),
    ).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("counts every line of any text once, or refuses the text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint })), (lines) => {
        const feed = new Feed({ kind: "tor" }, ["8.8.8.8", ...lines]);
        const entries = [...feed.entries()];
        expect(entries.every((entry) => entry.trim() === entry && entry !== "")).toBe(true);
        expect(feed.finish().size).toBe(entries.length);
      }),
      { numRuns: 1000 },
    );
  });
});
