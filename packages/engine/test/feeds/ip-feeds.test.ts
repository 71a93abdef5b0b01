import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { Feed } from "../../src/feeds/feed.js";
import { FEED_KINDS, type FeedKind } from "../../src/feeds/feed-options.js";
import { createIpFeeds, KIND_BITS } from "../../src/feeds/ip-feeds.js";
import { parseAddress } from "../../src/identifier/parsed-ip.js";

const IP_KINDS = FEED_KINDS.filter((kind) => kind !== "disposable");

const at = (ip: string) => parseAddress(ip)!;

const kindOf = (index: number) => IP_KINDS.at(index % IP_KINDS.length)!;

const feed = (kind: FeedKind, lines: string[], name: string = kind) =>
  new Feed({ kind, name }, lines);

describe("createIpFeeds", () => {
  it("tells the kinds and the names of overlapping feeds", async () => {
    const feeds = await createIpFeeds([
      feed("datacenter", ["8.0.0.0/8", "2600::/16"], "hosts"),
      feed("vpn", ["8.8.0.0/16"]),
      feed("datacenter", ["8.8.8.8"], "more hosts"),
    ]);
    expect(feeds.kindsOf(at("8.8.8.8"))).toBe(KIND_BITS.datacenter | KIND_BITS.vpn);
    expect(feeds.namesOf(at("8.8.8.8"), "datacenter")).toEqual(["hosts", "more hosts"]);
    expect(feeds.namesOf(at("8.8.8.8"), "vpn")).toEqual(["vpn"]);
    expect(feeds.kindsOf(at("8.1.1.1"))).toBe(KIND_BITS.datacenter);
    expect(feeds.kindsOf(at("2600:1::1"))).toBe(KIND_BITS.datacenter);
    expect(feeds.kindsOf(at("9.9.9.9"))).toBe(0);
  });

  it("keeps twenty feeds apart", async () => {
    const feeds = await createIpFeeds(
      Array.from({ length: 20 }, (_, index) =>
        feed(kindOf(index), [`9.9.9.${index}`, "9.9.8.0/24"], `feed ${index}`),
      ),
    );
    for (let index = 0; index < 20; index++) {
      const kind = kindOf(index);
      expect(feeds.namesOf(at(`9.9.9.${index}`), kind)).toEqual([`feed ${index}`]);
    }
    expect(feeds.kindsOf(at("9.9.8.1"))).toBe(31);
    expect(IP_KINDS.flatMap((kind) => feeds.namesOf(at("9.9.8.1"), kind))).toHaveLength(20);
  });

  it("marks no exempt address", async () => {
    const feeds = await createIpFeeds(
      [feed("tor", ["8.8.8.0/24"])],
      ({ text }) => text === "8.8.8.8",
    );
    expect(feeds.kindsOf(at("8.8.8.8"))).toBe(0);
    expect(feeds.kindsOf(at("8.8.8.9"))).toBe(KIND_BITS.tor);
  });

  it("ignores networks of all addresses, or of a large part of them", async () => {
    const vast = ["0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/2", "2000::/3"];
    const tor = feed("tor", [...vast, "8.8.8.8", "224.0.0.0/3"]);
    const feeds = await createIpFeeds([tor]);
    expect(feeds.kindsOf(at("9.9.9.9"))).toBe(0);
    expect(tor.finish()).toMatchObject({ size: 2, skipped: 5, firstSkippedLine: 1 });
  });

  it("agrees with a search through all networks", async () => {
    // A small part of the space, so that networks meet.
    const address = fc
      .tuple(fc.constantFrom(8, 9), fc.constantFrom(0, 7, 255), fc.nat(3), fc.nat(255))
      .map((bytes) => bytes.join("."));
    const network = fc
      .tuple(address, fc.integer({ min: 6, max: 32 }))
      .map(([base, length]) => `${base}/${length}`);
    const lists = fc.array(fc.tuple(fc.constantFrom(...IP_KINDS), fc.array(network)), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(lists, address, async (given, asked) => {
        const feeds = await createIpFeeds(given.map(([kind, lines]) => feed(kind, lines)));
        const parsed = ipaddr.IPv4.parse(asked);
        let expected = 0;
        for (const [kind, networks] of given) {
          const holds = networks.some((cidr) => parsed.match(ipaddr.IPv4.parseCIDR(cidr)));
          if (holds) expected |= KIND_BITS[kind];
        }
        expect(feeds.kindsOf(at(asked))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
