import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cleanAddress,
  clientAddress,
  readTrustedProxies,
} from "../../src/decision/client-address.js";
import { isRiskGateError } from "../../src/base/errors.js";
import { normalizeIp } from "../../src/address/ip-address.js";
import { readOptions } from "../../src/base/options.js";
import { thrown } from "../support/caught.js";

/** The table of the option `trustedProxies`. */
const trusting = (trustedProxies: unknown) =>
  readOptions("riskGate", { trustedProxies }, readTrustedProxies)!;

const PEER = "127.0.0.1";
const loopback = trusting(["127.0.0.0/8"]);

describe("clientAddress", () => {
  it.each<[string, string[], string, string | string[] | undefined, string | undefined]>([
    ["GAT-11 stops at the first stranger", ["127.0.0.0/8"], PEER, "9.9.9.9, 8.8.8.8", "8.8.8.8"],
    [
      "GAT-11 passes a second proxy",
      ["127.0.0.0/8", "8.8.8.8/32"],
      PEER,
      "9.9.9.9, 8.8.8.8",
      "9.9.9.9",
    ],
    [
      "GAT-11 takes the leftmost where all are trusted",
      ["0.0.0.0/0"],
      PEER,
      "9.9.9.9, 8.8.8.8",
      "9.9.9.9",
    ],
    ["GAT-11 takes the socket of a stranger", ["10.0.0.0/8"], PEER, "9.9.9.9, 8.8.8.8", PEER],
    ["GAT-11 takes the socket where nobody is trusted", [], PEER, "9.9.9.9", PEER],
    ["takes the socket where there is no header", ["127.0.0.0/8"], PEER, undefined, PEER],
    [
      "GAT-10 takes a mapped peer for IPv4",
      ["127.0.0.0/8"],
      `::ffff:${PEER}`,
      "8.8.8.8",
      "8.8.8.8",
    ],
    [
      "takes several lines for one list",
      ["127.0.0.0/8", "8.8.8.8"],
      PEER,
      ["9.9.9.9", "8.8.8.8"],
      "9.9.9.9",
    ],
    [
      "takes lines that are lists",
      ["127.0.0.0/8", "8.8.8.0/24"],
      PEER,
      ["7.7.7.7,9.9.9.9", "8.8.8.8,8.8.8.9"],
      "9.9.9.9",
    ],
    ["GAT-13 removes a port", ["127.0.0.0/8"], PEER, "8.8.8.8:1234", "8.8.8.8"],
    [
      "GAT-13 removes brackets and a port",
      ["127.0.0.0/8"],
      PEER,
      "[2001:db8::1]:80",
      "2001:db8::1",
    ],
    ["GAT-13 removes brackets", ["127.0.0.0/8"], PEER, "[2001:DB8::1]", "2001:db8::1"],
    ["GAT-13 removes quotes", ["127.0.0.0/8"], PEER, '"8.8.8.8"', "8.8.8.8"],
    [
      "GAT-13 removes quotes, brackets and a port",
      ["127.0.0.0/8"],
      PEER,
      '"[2001:db8::1]:80"',
      "2001:db8::1",
    ],
    [
      "knows a trusted proxy behind its port",
      ["127.0.0.0/8", "8.8.8.8"],
      PEER,
      "9.9.9.9, 8.8.8.8:443",
      "9.9.9.9",
    ],
    ["GAT-14 finds none in unknown", ["127.0.0.0/8"], PEER, "unknown", undefined],
    ["GAT-14 finds none in _hidden", ["127.0.0.0/8"], PEER, "_hidden", undefined],
    ["GAT-14 finds none in empty text", ["127.0.0.0/8"], PEER, "", undefined],
    ["GAT-14 finds none in ,,,", ["127.0.0.0/8"], PEER, ",,,", undefined],
    ["GAT-14 finds none in markup", ["127.0.0.0/8"], PEER, "<script>", undefined],
    [
      "GAT-14 does not look further out than a bad entry",
      ["127.0.0.0/8"],
      PEER,
      "9.9.9.9, junk",
      undefined,
    ],
    [
      "GAT-14 minds no bad entry beyond the client",
      ["127.0.0.0/8"],
      PEER,
      "junk, 9.9.9.9",
      "9.9.9.9",
    ],
    ["GAT-14 finds none in 10 kB", ["127.0.0.0/8"], PEER, "8".repeat(10_000), undefined],
    ["finds none where the socket has none", ["0.0.0.0/0"], "", "8.8.8.8", undefined],
  ])("%s", (_, trusted, peer, header, client) => {
    expect(clientAddress(peer, header, trusting(trusted))).toBe(client);
  });

  it.each<[string, unknown, string, string | undefined, string | undefined]>([
    ["no proxy at all", 0, PEER, "9.9.9.9, 8.8.8.8", PEER],
    ["GAT-12 one proxy", 1, PEER, "9.9.9.9, 8.8.8.8", "8.8.8.8"],
    ["one proxy with a public address", 1, "1.1.1.1", "9.9.9.9, 8.8.8.8", "8.8.8.8"],
    ["GAT-12 two proxies", 2, PEER, "7.7.7.7, 9.9.9.9, 8.8.8.8", "9.9.9.9"],
    ["GAT-12 no chain with fewer entries than proxies", 3, PEER, "9.9.9.9, 8.8.8.8", undefined],
    ["GAT-12 no request that went around the one proxy", 1, PEER, undefined, undefined],
    ["a proxy that writes no address", 1, PEER, "9.9.9.9, unknown", undefined],
    ["loopback", ["loopback"], PEER, "10.0.0.1", "10.0.0.1"],
    ["loopback by IPv6", ["loopback"], "::1", "8.8.8.8", "8.8.8.8"],
    ["private", ["private"], "10.9.9.9", "8.8.8.8, fd00::1, 192.168.0.1", "8.8.8.8"],
    ["private, which is not loopback", ["private"], PEER, "8.8.8.8", PEER],
    [
      "both, with an address",
      ["loopback", "private", "1.1.1.1"],
      PEER,
      "8.8.8.8, 1.1.1.1, 10.0.0.1",
      "8.8.8.8",
    ],
  ])("trusts %s", (_, trusted, peer, header, client) => {
    expect(clientAddress(peer, header, trusting(trusted))).toBe(client);
  });

  it("finds none where the socket is gone", () => {
    expect(clientAddress(undefined, "8.8.8.8", loopback)).toBeUndefined();
  });

  it.each([
    ["5,000 entries, all trusted", Array(5000).fill("127.0.0.1").join(", "), "127.0.0.1"],
    ["5,000 strangers", Array(5000).fill("8.8.8.8").join(", "), "8.8.8.8"],
    ["5,000 bad entries", Array(5000).fill("<script>").join(","), undefined],
    ["10 kB of commas", ",".repeat(10_000), undefined],
    ["10 kB of quotes", '"'.repeat(10_000), undefined],
    ["10 kB of blanks around an address", `${" ".repeat(10_000)}8.8.8.8`, undefined],
  ])("GAT-14 reads %s in little CPU time", (_, header, client) => {
    const costsMs = Array.from({ length: 20 }, () => {
      const before = process.cpuUsage();
      expect(clientAddress(PEER, header, loopback)).toBe(client);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    // The best of twenty: others may pay for a compiler or a collector at work.
    // A walk takes about 1 ms; one that looks back from every entry takes several hundred.
    expect(Math.min(...costsMs)).toBeLessThan(50);
  });

  it("gives a normal address from the chain or none, and never one beyond a stranger", () => {
    const entry = fc.oneof(fc.constantFrom(PEER, "8.8.8.8", "10.0.0.1"), fc.ipV4(), fc.string());
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const header = entries.join(",");
        const client = clientAddress(PEER, header, loopback);
        const walked = header.split(",").map(cleanAddress).toReversed();
        const expected = walked.find((ip) => ip === undefined || !loopback.isProxy(ip, 0));
        const isOutside = walked.some((ip) => ip === undefined || !loopback.isProxy(ip, 0));
        expect(client).toBe(isOutside ? expected : walked.at(-1));
        if (client !== undefined) expect(normalizeIp(client)).toBe(client);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("cleanAddress", () => {
  it.each<[unknown, string | undefined]>([
    [" 8.8.8.8 ", "8.8.8.8"],
    ["::ffff:8.8.8.8", "8.8.8.8"],
    ["[::1%eth0]:443", "::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["8.8.8.8:", undefined],
    ["8.8.8.8:123456", undefined],
    ["8.8.8.8:port", undefined],
    ["[8.8.8.8", undefined],
    ["[]", undefined],
    ["[[::1]]", undefined],
    ['"8.8.8.8', undefined],
    ["for=8.8.8.8", undefined],
    ["8.8.8.8, 9.9.9.9", undefined],
    ["08.8.8.8", undefined],
    [undefined, undefined],
    [["8.8.8.8"], undefined],
    [7, undefined],
  ])("reads %j as %s", (value, address) => {
    expect(cleanAddress(value)).toBe(address);
  });
});

describe("readTrustedProxies", () => {
  it.each<[unknown]>([
    ["10.0.0.0/8"],
    [["10.0.0.0/8", "Loopback"]],
    [["uniquelocal"]],
    [["toString"]],
    [-1],
    [1.5],
    [101],
    [NaN],
    [["10.0.0.0/33"]],
    [[1]],
    [true],
    [null],
    [{}],
  ])("refuses %j at set-up", (entries) => {
    expect(thrown(() => trusting(entries)).code).toBe("CONFIG_INVALID");
  });

  it("names and shows the entry that it refuses", () => {
    expect(thrown(() => trusting(["10.0.0.0/8", "localhost"])).message).toBe(
      '`trustedProxies[1]` must be an IP address, a network, "loopback" or "private", ' +
        'given "localhost"',
    );
  });

  it("throws only errors of its own for any list", () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (entries) => {
        try {
          trusting(entries);
        } catch (error) {
          expect(isRiskGateError(error)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
