import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { createDestinationRule } from "../../src/dispatch/destination-rule.js";

/** DSP-20, each kind with its neighbours. */
const BLOCKED = [
  "127.0.0.1",
  "127.255.255.254",
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "239.255.255.255",
  "255.255.255.255",
  "192.0.2.1",
  "198.18.0.1",
  "::1",
  "::",
  "fc00::1",
  "fdff::1",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::127.0.0.1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "2001:0:7f00:1::",
  "2001:db8::1",
  "4000::1",
  "localhost",
  "",
  "1.2.3",
];

describe("createDestinationRule", () => {
  it.each(BLOCKED)("DSP-20 refuses %s", (ip) => {
    expect(createDestinationRule([])(ip, 443)).toBe(false);
  });

  it.each(["93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "permits %s",
    (ip) => {
      expect(createDestinationRule([])(ip, 443)).toBe(true);
    },
  );

  it("permits what the operator allows, and no more", () => {
    const rule = createDestinationRule(["10.1.0.0/16", "fd00::/8", "not a network"]);
    const asked = [
      "10.1.2.3",
      "::ffff:10.1.2.3",
      "64:ff9b::10.1.2.3",
      "fd12::1",
      "10.2.0.1",
      "fc00::1",
    ];
    expect(asked.map((ip) => rule(ip, 80))).toEqual([true, true, true, true, false, false]);
  });

  it.each([
    ["the address it listens on", "127.0.0.1", "127.0.0.1"],
    ["its mapped form", "127.0.0.1", "::ffff:127.0.0.1"],
    ["the unspecified address", "127.0.0.1", "0.0.0.0"],
    ["any loopback address where it listens on all", "0.0.0.0", "127.9.9.9"],
    ["loopback of the other family", "::", "::1"],
  ])("never permits itself: %s", (_, address, ip) => {
    const rule = createDestinationRule(["0.0.0.0/0", "::/0"], () => [{ address, port: 8080 }]);
    expect(rule(ip, 8080)).toBe(false);
    expect(rule(ip, 8081)).toBe(true);
  });

  it("knows the addresses of this machine where it listens on all", () => {
    const rule = createDestinationRule(["0.0.0.0/0", "::/0"], () => [{ address: "::", port: 80 }]);
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of addresses) expect(rule(address, 80)).toBe(false);
    expect(rule("93.184.216.34", 80)).toBe(true);
  });
});
