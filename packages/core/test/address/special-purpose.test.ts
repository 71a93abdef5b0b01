import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { parseIp } from "../../src/address/ip-address.js";
import { isPublicAt, isPublicIp } from "../../src/address/special-purpose.js";

/** Special-purpose blocks, and whether the addresses of each are globally reachable. */
const BLOCKS: readonly (readonly [cidr: string, reachable: boolean])[] = [
  ["0.0.0.0/8", false],
  ["10.0.0.0/8", false],
  ["100.64.0.0/10", false],
  ["127.0.0.0/8", false],
  ["169.254.0.0/16", false],
  ["172.16.0.0/12", false],
  ["192.0.0.0/24", false],
  ["192.0.0.0/29", false],
  ["192.0.0.8/32", false],
  ["192.0.0.9/32", true],
  ["192.0.0.10/32", true],
  ["192.0.0.170/31", false],
  ["192.0.2.0/24", false],
  ["192.31.196.0/24", true],
  ["192.52.193.0/24", true],
  ["192.88.99.0/24", false],
  ["192.168.0.0/16", false],
  ["192.175.48.0/24", true],
  ["198.18.0.0/15", false],
  ["198.51.100.0/24", false],
  ["203.0.113.0/24", false],
  ["224.0.0.0/4", false],
  ["240.0.0.0/4", false],
  ["255.255.255.255/32", false],
  ["::/128", false],
  ["::1/128", false],
  ["64:ff9b::/96", true],
  ["64:ff9b:1::/48", false],
  ["100::/64", false],
  ["100:0:0:1::/64", false],
  ["2001::/32", false],
  ["2001:1::1/128", true],
  ["2001:1::2/128", true],
  ["2001:1::3/128", true],
  ["2001:2::/48", false],
  ["2001:3::/32", true],
  ["2001:4:112::/48", true],
  ["2001:10::/28", false],
  ["2001:20::/28", true],
  ["2001:30::/28", true],
  ["2001:db8::/32", false],
  ["2002::/16", false],
  ["2620:4f:8000::/48", true],
  ["3fff::/20", false],
  ["5f00::/16", false],
  ["fc00::/7", false],
  ["fe80::/10", false],
  ["ff00::/8", false],
];

function firstAndLast(cidr: string): string[] {
  const kind = cidr.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  return [kind.networkAddressFromCIDR(cidr), kind.broadcastAddressFromCIDR(cidr)].map(String);
}

describe("isPublicIp", () => {
  it.each(BLOCKS)("says of the first and the last address of %s: %s", (cidr, reachable) => {
    expect(firstAndLast(cidr).map(isPublicIp)).toEqual([reachable, reachable]);
  });

  it.each([
    ["1.0.0.0"],
    ["9.255.255.255"],
    ["11.0.0.0"],
    ["100.63.255.255"],
    ["100.128.0.0"],
    ["126.255.255.255"],
    ["128.0.0.0"],
    ["169.253.255.255"],
    ["169.255.0.0"],
    ["172.15.255.255"],
    ["172.32.0.0"],
    ["191.255.255.255"],
    ["192.0.1.0"],
    ["192.0.1.255"],
    ["192.0.3.0"],
    ["192.88.98.255"],
    ["192.88.100.0"],
    ["192.167.255.255"],
    ["192.169.0.0"],
    ["198.17.255.255"],
    ["198.20.0.0"],
    ["198.51.99.255"],
    ["198.51.101.0"],
    ["203.0.112.255"],
    ["203.0.114.0"],
    ["223.255.255.255"],
    ["2001:200::"],
    ["2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db9::"],
    ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2003::"],
    ["2a00:1450::1"],
    ["3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff:1000::"],
  ])("calls the address %s next to it public", (ip) => {
    expect(isPublicIp(ip)).toBe(true);
  });

  it("judges an address by its value, not by its spelling", () => {
    expect(isPublicIp("::ffff:10.0.0.1")).toBe(false);
    expect(isPublicIp("::ffff:8.8.8.8")).toBe(true);
    expect(isPublicIp("fe80::1%eth0")).toBe(false);
  });

  it.each(["", "localhost", "8.8.8", "8.8.8.8:53", " 8.8.8.8"])("calls %j not public", (text) => {
    expect(isPublicIp(text)).toBe(false);
  });
});

describe("isPublicAt", () => {
  const words = new Uint32Array(4);

  it.each(["8.8.8.8", "10.0.0.1", "192.0.0.9", "2a00:1450::1", "fe80::1", "nowhere"])(
    "says of %s what isPublicIp says",
    (ip) => {
      expect(isPublicAt(parseIp(ip, words), words)).toBe(isPublicIp(ip));
    },
  );
});
