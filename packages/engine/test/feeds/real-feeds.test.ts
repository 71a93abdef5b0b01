import { readFile } from "node:fs/promises";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine.js";
import type { FeedOptions } from "../../src/feeds/feed-options.js";
import { hasSharedData, sharedData } from "../support/shared-data.js";

describe.runIf(hasSharedData)("real feeds (in ../shared/data)", () => {
  const feeds: FeedOptions[] = [
    { kind: "datacenter", path: sharedData("feeds/datacenter-ipv4.txt") },
    { kind: "datacenter", path: sharedData("feeds/datacenter-ipv6.txt") },
    { kind: "vpn", path: sharedData("feeds/vpn-ipv4.txt") },
    { kind: "vpn", path: sharedData("feeds/vpn-ipv6.txt") },
    { kind: "tor", path: sharedData("feeds/tor-exit-nodes.txt") },
  ];

  it("loads every line of all five", async () => {
    const engine = await createEngine({ feeds });
    expect(engine.feeds().map(({ size, skipped }) => [size, skipped])).toEqual([
      [42_566, 0],
      [8752, 0],
      [10_862, 0],
      [498, 0],
      [1746, 0],
    ]);
  });

  it("finds the first and the last address of each network, and not what lies beyond", async () => {
    const engine = await createEngine({ feeds });
    for (const { kind, path } of feeds) {
      const lines = (await readFile(path!, "utf8")).split("\n").filter((line) => line !== "");
      for (const line of lines.filter((_, index) => index % 50 === 0)) {
        const cidr = line.includes("/") ? line : `${line}/${line.includes(":") ? 128 : 32}`;
        const [address] = ipaddr.parseCIDR(cidr);
        const parser = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
        const first = parser.networkAddressFromCIDR(cidr).toString();
        const last = parser.broadcastAddressFromCIDR(cidr).toString();
        for (const ip of [first, last]) {
          expect([ip, engine.peekIp(ip)?.assessment[`is_${kind}`]]).toEqual([ip, true]);
        }
      }
    }
    for (const ip of ["192.168.1.1", "81.2.69.142", "2a02:8071::1"]) {
      expect(engine.peekIp(ip)?.assessment).toMatchObject({ is_tor: false, is_vpn: false });
    }
  });
});
