import { readFileSync } from "node:fs";
import { createFeedUpdater, FEED_KINDS } from "@riskgate/engine";
import { describe, expect, it } from "vitest";
import { FEED_CATALOGUE, urlOn } from "../../src/feeds/feed-catalogue.js";

describe("the catalogue of feeds", () => {
  it("has settings that an updater takes, over HTTPS", () => {
    const feeds = FEED_CATALOGUE.map(({ kind, name, url, licence }) => ({
      kind,
      name,
      url,
      licence,
    }));
    expect(() => createFeedUpdater({ dir: "unused", feeds })).not.toThrow();
    for (const { url } of feeds)
      expect(new URL(url)).toMatchObject({ protocol: "https:", search: "" });
  });

  it("offers each kind, one after the other", () => {
    const kinds = FEED_CATALOGUE.map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(FEED_KINDS);
    expect(kinds).toEqual(FEED_KINDS.flatMap((kind) => kinds.filter((one) => one === kind)));
  });

  it("states a licence, a maintainer and the content of each", () => {
    for (const { licence, maintainer, content } of FEED_CATALOGUE) {
      expect([licence, maintainer, content].every((text) => text.trim() !== "")).toBe(true);
    }
  });
});

describe("docs/feeds.md", () => {
  const document = readFileSync(new URL("../../../../docs/feeds.md", import.meta.url), "utf8");

  it.each(FEED_CATALOGUE)("describes $name as the catalogue does", (feed) => {
    const { name, kind, licence, url, entries, bytes } = feed;
    const row = document.split("\n").find((line) => line.startsWith(`| \`${name}\` `)) ?? "";
    const cells = row.split("|").map((cell) => cell.trim());
    const size = [
      ...(entries === undefined ? [] : [entries.toLocaleString("en-US")]),
      ...(bytes === undefined ? [] : [`${(bytes / 1000).toLocaleString("en-US")} kB`]),
    ];
    expect(cells.at(2)).toBe(`\`${kind}\``);
    expect(cells.slice(4, 7)).toEqual([licence, size.join(", "), `<${url}>`]);
  });
});

describe("urlOn", () => {
  it.each([
    [undefined, "https://lists.example/a/b.txt"],
    ["http://127.0.0.1:9", "http://127.0.0.1:9/lists.example/a/b.txt"],
    ["https://mirror.example/feeds/", "https://mirror.example/feeds/lists.example/a/b.txt"],
  ])("puts the host behind %s", (mirror, expected) => {
    const base = mirror === undefined ? undefined : new URL(mirror);
    expect(urlOn(base, "https://lists.example/a/b.txt")).toBe(expected);
  });
});
