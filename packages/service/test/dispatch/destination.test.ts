import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDestinationRule, destinationProblem } from "../../src/dispatch/destination.js";

describe("destinationProblem", () => {
  it.each([
    "https://hooks.example/security",
    "http://hooks.example:8080/a?b=c",
    "https://hooks.example/@team",
    "https://[2606:4700::1111]/hook",
    "HTTPS://HOOKS.EXAMPLE",
    `https://hooks.example/${"a".repeat(2048 - 22)}`,
  ])("takes %s", (url) => {
    expect(destinationProblem(url)).toBeUndefined();
  });

  it.each([
    ["no URL", "hooks.example"],
    ["another scheme", "ftp://hooks.example/"],
    ["a file", "file:///etc/passwd"],
    ["script", "javascript:alert(1)"],
    ["user and password", "https://ada:secret@hooks.example/"],
    ["empty user and password", "https://@hooks.example/"],
    ["a fragment", "https://hooks.example/#top"],
    ["an empty fragment", "https://hooks.example/#"],
    ["2,049 characters", `https://hooks.example/${"a".repeat(2049 - 22)}`],
    ["no host", "https:///hook"],
    ["no host but a port", "https://:443/hook"],
    ["nothing behind the scheme", "https://"],
    ["a backslash", "https:\\\\hooks.example"],
    ["a blank", " https://hooks.example"],
    ["a line break", "https://hooks.example/\nx"],
    ["a broken address", "https://[::1/"],
    ["a port out of range", "https://hooks.example:65536/"],
    ["nothing", ""],
    ["a number", 7],
    ["null", null],
  ])("DSP-19 refuses %s", (_, url) => {
    expect(destinationProblem(url)).toEqual(expect.any(String));
  });

  it("never throws, and what it takes has a host", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.webUrl({ withFragments: true }),
      fc.string().map((tail) => `http://${tail}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        if (destinationProblem(given) !== undefined) return;
        const url = new URL(given);
        expect(["http:", "https:"]).toContain(url.protocol);
        expect(url.hostname).not.toBe("");
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
      }),
      { numRuns: 1000 },
    );
  });
});

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
