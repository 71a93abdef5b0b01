import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkAnchors } from "../../docs/.vitepress/anchors.mjs";
import { REPOSITORY, siteLink, slugOf } from "../../docs/.vitepress/links.js";
import { firstSentence } from "../../docs/.vitepress/llms.mjs";
import { siteMap } from "../../docs/.vitepress/site-map.mjs";
import { root } from "../workspace.mjs";

describe("site map", () => {
  it("has every page of docs once", () => {
    const written = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll(sep, "/"))
      .filter((file) => file.endsWith(".md") && !/(?:^|\/)(?:node_modules|api|\..+?)\//.test(file))
      .map((file) => file.replace(/\.md$/, ""));
    expect(siteMap.flatMap(({ pages }) => pages).sort()).toEqual(written.sort());
  });
});

describe("link on the site", () => {
  it.each([
    ["a page beside it", "redis.md#inbox", "webhooks.md", "redis.md#inbox"],
    ["a page above it", "../proxies.md", "guides/koa.md", "../proxies.md"],
    ["a heading", "#decide", "webhooks.md", "#decide"],
    ["the URL of a page", `${REPOSITORY}/blob/main/docs/webhooks.md#x`, "a.md", "/webhooks.md#x"],
    ["a package", "../packages/koa", "webhooks.md", "/api/koa/index.md"],
    ["a README", "../../packages/koa/README.md", "guides/koa.md", "/api/koa/index.md"],
    ["a heading of a README", "../packages/koa/README.md#x", "a.md", "/api/koa/index.md#x"],
    [
      "the URL of a package",
      `${REPOSITORY}/tree/main/packages/cli#readme`,
      "a.md",
      "/api/cli/index.md",
    ],
    ["a file", "../CHANGELOG.md", "a.md", `${REPOSITORY}/blob/main/CHANGELOG.md`],
    ["a folder", "../examples/deploy", "a.md", `${REPOSITORY}/tree/main/examples/deploy`],
    ["another site", "https://example.com/docs/a.md", "a.md", "https://example.com/docs/a.md"],
  ])("to %s leads there", (_, href, page, link) => {
    expect(siteLink(href, page)).toBe(link);
  });

  it("fails if the file does not exist", () => {
    expect(() => siteLink("../packages/none/none.ts", "a.md")).toThrow("packages/none/none.ts");
  });
});

describe("heading of the site", () => {
  it.each([
    ["CONFIG_INVALID", "config_invalid"],
    ["Behind a proxy, and in tests", "behind-a-proxy-and-in-tests"],
    ["`POST /v1`: what it does", "post-v1-what-it-does"],
  ])("%s has the anchor that GitHub gives it", (heading, anchor) => {
    expect(slugOf(heading)).toBe(anchor);
  });
});

describe("first sentence of a page", () => {
  it.each([
    ["below its heading", "# One\n\nTwo is `a.b`. Three.\n", "Two is `a.b`."],
    [
      "below a second heading",
      "# One\n\n## Two\n\n| a |\n\nThree, see [four](x.md).",
      "Three, see four.",
    ],
    ["in front of a list", "# One\n\nTwo are:\n\n- three", "Two are."],
  ])("is found %s", (_, text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });
});

describe("check of a built site", () => {
  const folder = mkdtempSync(join(tmpdir(), "riskgate-site-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };

  it("accepts links to pages, files and headings, and reports all others", () => {
    write("icon.svg", "");
    write("guides/one.html", '<h2 id="here">Here</h2> <a href="#here"> <a href="../">');
    const good = ["/guides/one.html#here", "guides/one", "/icon.svg", "https://example.com/none"];
    write("index.html", good.map((href) => `<a href="${href}">`).join(""));
    expect(checkAnchors(folder)).toBe(2);
    write("guides/based.html", '<a href="/docs/guides/one.html#here"> <a href="one.html">');
    expect(() => checkAnchors(folder, "/docs/")).toThrow("index.html: /guides/one.html#here");
    expect(() => checkAnchors(folder, "/docs/")).not.toThrow("based.html");
    rmSync(join(folder, "guides/based.html"));

    write("two.html", '<a href="/none.html"> <a href="/guides/one.html#none"> <a href="/guides">');
    expect(() => checkAnchors(folder)).toThrow(
      /two\.html: \/none\.html\n.*two\.html: \/guides\/one\.html#none\n.*two\.html: \/guides$/,
    );
  });
});
