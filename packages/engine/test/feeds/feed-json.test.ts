import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Feed } from "../../src/feeds/feed.js";
import { checkList } from "../../src/feeds/feed-check.js";
import { jsonEntries } from "../../src/feeds/feed-json.js";
import { codePoint } from "../../../../tools/test/code-point.js";

const SHAPES: readonly (readonly [publisher: string, document: unknown])[] = [
  [
    "Amazon",
    {
      syncToken: "1",
      prefixes: [{ ip_prefix: "3.4.0.0/16", region: "eu-west-1", network_border_group: "x" }],
      ipv6_prefixes: [{ ipv6_prefix: "2600:1f00::/24", service: "EC2" }],
    },
  ],
  [
    "Google",
    {
      creationTime: "2026-01-01T00:00:00",
      prefixes: [{ ipv4Prefix: "3.4.0.0/16", scope: "x" }, { ipv6Prefix: "2600:1f00::/24" }],
    },
  ],
  [
    "Azure",
    {
      changeNumber: 1,
      values: [
        {
          name: "AzureCloud",
          properties: { region: "", addressPrefixes: ["3.4.0.0/16", "2600:1f00::/24"] },
        },
      ],
    },
  ],
  [
    "Oracle",
    {
      regions: [
        {
          region: "eu",
          cidrs: [{ cidr: "3.4.0.0/16", tags: ["OCI"] }, { cidr: "2600:1f00::/24" }],
        },
      ],
    },
  ],
  ["Fastly", { addresses: ["3.4.0.0/16"], ipv6_addresses: ["2600:1f00::/24"] }],
  [
    "Cloudflare",
    { result: { ipv4_cidrs: ["3.4.0.0/16"], ipv6_cidrs: ["2600:1f00::/24"], etag: "x" } },
  ],
  ["an array", ["3.4.0.0/16", "2600:1f00::/24"]],
];

const parse = (text: string) => Feed.parse({ kind: "datacenter" }, text, 0);

describe("jsonEntries", () => {
  it.each(SHAPES)("finds the ranges of %s and nothing else", (_publisher, document) => {
    const expected = ["3.4.0.0/16", "2600:1f00::/24"];
    expect(jsonEntries(JSON.stringify(document))).toEqual(expected);
    expect([...parse(JSON.stringify(document, null, 2)).entries()]).toEqual(expected);
    expect([...parse(`\uFEFF\n${JSON.stringify(document)}`).entries()]).toEqual(expected);
  });

  it.each([
    ["a document that breaks off", '{"prefixes": [{"ip_prefix": "3.4.0.0/16"}'],
    ["an address elsewhere", '{"error": "blocked", "ip": "8.8.8.8"}'],
    ["members of other types", '{"cidr": 5, "addresses": {"a": "8.8.8.8"}, "ip_prefix": null}'],
    ["an array of arrays", '[["x"]'],
    ["nothing", ""],
  ])("finds nothing in %s", (_label, text) => {
    expect(jsonEntries(text)).toEqual([]);
  });

  it("looks as deep as the shapes go, however deep a document is", () => {
    const deep = `${"[".repeat(100_000)}"8.8.8.8"${"]".repeat(100_000)}`;
    expect(jsonEntries(deep)).toEqual([]);
  });

  it("finds every text of a named member, whatever lies around it", () => {
    const name = fc.constantFrom("cidr", "addresses", "ipv4Prefix", "region", "__proto__");
    const document = fc.letrec<{ tree: unknown; branch: unknown }>((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, fc.ipV4(), fc.jsonValue(), tie("branch")),
      branch: fc.oneof(fc.array(tie("tree")), fc.dictionary(name, tie("tree"))),
    })).branch;
    fc.assert(
      fc.property(document, (value) => {
        const text = JSON.stringify(value);
        const entries = jsonEntries(text);
        for (const entry of entries) expect(text).toContain(JSON.stringify(entry));
        expect(jsonEntries(JSON.stringify({ cidr: entries }))).toEqual(entries);
      }),
      { numRuns: 1000 },
    );
  });

  it("takes a list of JSON or refuses it, and does nothing else", async () => {
    const text = fc.oneof(
      fc.json(),
      fc.constantFrom(...SHAPES.map(([, document]) => JSON.stringify(document))).chain((shape) =>
        fc.tuple(fc.nat(shape.length), fc.string()).map(([at, junk]) => {
          return shape.slice(0, at) + junk + shape.slice(at + junk.length);
        }),
      ),
      fc.string({ unit: codePoint }),
    );
    const source = { kind: "datacenter", name: "x", url: "", source: "", maxBytes: 1 } as const;
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        let code: unknown;
        try {
          const size = await checkList(source, Buffer.from(given), {
            previous: undefined,
            maxGrowth: 1,
            maxShrink: 0.5,
          });
          expect(size).toBeGreaterThan(0);
        } catch (error) {
          ({ code } = error as { code: unknown });
          expect(code).toBe("INVALID_RESPONSE");
        }
        const feed = parse(given);
        // Each entry is given back, so that none is left and the feed has to refuse.
        for (const entry of feed.entries()) void [entry, feed.skip()];
        expect(() => feed.finish()).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
      }),
      { numRuns: 1000 },
    );
  });
});
