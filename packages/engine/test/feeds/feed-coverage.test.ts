import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureFeeds } from "../../src/feeds/feed-coverage.js";
import { hasSharedData, sharedData } from "../support/shared-data.js";

const none = { ipv4Addresses: 0, ipv6Networks: 0, domains: 0 };

describe("measureFeeds", () => {
  it("counts overlapping networks once", async () => {
    const entries = ["192.0.2.0/24", "192.0.2.128/25", "192.0.2.7", "198.51.100.1", "# none"];
    expect(await measureFeeds([{ kind: "vpn", name: "one", entries }])).toEqual([
      {
        name: "one",
        kind: "vpn",
        entries: 4,
        covered: { ...none, ipv4Addresses: 257 },
        added: { ...none, ipv4Addresses: 257 },
      },
    ]);
  });

  it("counts IPv6 by /64, and a mapped network as IPv4", async () => {
    const entries = ["2001:db8::/62", "2001:db8:0:1::5", "2001:db8:9::1", "::ffff:192.0.2.0/120"];
    const [coverage] = await measureFeeds([{ kind: "tor", entries }]);
    expect(coverage?.covered).toEqual({ ...none, ipv4Addresses: 256, ipv6Networks: 5 });
  });

  it("adds to the feeds before it only what none of its kind covers", async () => {
    const coverages = await measureFeeds([
      { kind: "vpn", entries: ["192.0.2.0/25"] },
      { kind: "datacenter", entries: ["192.0.2.0/24"] },
      { kind: "vpn", entries: ["192.0.2.0/24", "198.51.100.9"] },
      { kind: "vpn", entries: ["192.0.2.200"] },
    ]);
    expect(coverages.map(({ added }) => added.ipv4Addresses)).toEqual([128, 256, 129, 0]);
    expect(coverages.map(({ covered }) => covered.ipv4Addresses)).toEqual([128, 256, 257, 1]);
  });

  it("knows the domains that come with the engine, and those above a domain", async () => {
    const [first, second] = await measureFeeds([
      { kind: "disposable", entries: ["mailinator.com", "new.example", "NEW.example", "a.b.test"] },
      { kind: "disposable", entries: ["sub.new.example", "other.example"] },
    ]);
    expect(first).toMatchObject({ entries: 4, covered: { domains: 3 }, added: { domains: 2 } });
    expect(second).toMatchObject({ covered: { domains: 2 }, added: { domains: 1 } });
  });

  it("leaves out what the engine leaves out, and refuses what it refuses", async () => {
    const [coverage] = await measureFeeds([{ kind: "vpn", entries: ["0.0.0.0/0", "192.0.2.1"] }]);
    expect(coverage).toMatchObject({ entries: 1, covered: { ipv4Addresses: 1 } });
    await expect(measureFeeds([{ kind: "vpn", entries: ["junk"] }])).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    const missing = { kind: "vpn", path: "no-such-file", optional: true } as const;
    expect(await measureFeeds([missing])).toMatchObject([{ entries: 0, covered: none }]);
  });

  it("agrees with counting every address", async () => {
    const network = fc
      .tuple(fc.nat(255), fc.integer({ min: 24, max: 32 }))
      .map(([last, length]) => `192.0.2.${last}/${length}`);
    const list = fc.array(network, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(list, list, async (one, other) => {
        const [, second] = await measureFeeds([
          { kind: "proxy", entries: one },
          { kind: "proxy", entries: other },
        ]);
        const [before, own] = [addressesOf(one), addressesOf(other)];
        expect(second?.covered.ipv4Addresses).toBe(own.size);
        expect(second?.added.ipv4Addresses).toBe([...own].filter((at) => !before.has(at)).length);
      }),
    );
  });

  it.runIf(hasSharedData)("measures real feeds (in ../shared/data)", async () => {
    const [first, again] = await measureFeeds([
      { kind: "datacenter", path: sharedData("feeds/datacenter-ipv4.txt") },
      { kind: "datacenter", path: sharedData("feeds/datacenter-ipv4.txt") },
    ]);
    expect(first?.entries).toBe(42_566);
    expect(first?.added).toEqual(first?.covered);
    expect(again?.covered).toEqual(first?.covered);
    expect(again?.added).toEqual(none);
  });
});

/** Last bytes of the addresses in networks of at least 24 bits. */
function addressesOf(networks: readonly string[]): Set<number> {
  return new Set(
    networks.flatMap((network) => {
      const [last = 0, length = 0] = network.slice("192.0.2.".length).split("/").map(Number);
      const size = 2 ** (32 - length);
      const first = last - (last % size);
      return Array.from({ length: size }, (_, offset) => first + offset);
    }),
  );
}
