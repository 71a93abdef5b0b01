import { isIP } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { normalizeIp, parseIp } from "../../src/address/ip-address.js";
import { anyIpText, ipv4Text, ipv6Text } from "../support/arbitrary-ip.js";
import { codePoint } from "../../../../tools/test/code-point.js";

/**
 * The value of an address by another implementation, in the spelling of RFC 5952.
 *
 * It is shown no dotted tails: it takes `::1.2.3.4`, a form long given up, for IPv4, as we never do.
 */
function oracle(text: string): string {
  const plain = text.replace(/%.*$/s, "").replace(/(?<=:)[0-9.]{7,}$/, (tail) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).toByteArray();
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  return ipaddr.process(plain).toString();
}

describe("normalizeIp", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["255.255.255.255", "255.255.255.255"],
    ["0.0.0.0", "0.0.0.0"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8::0:1", "2001:db8::1"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["1:0:0:2:3:0:0:4", "1::2:3:0:0:4"],
    ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
    ["0:1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:102:304", "1.2.3.4"],
    ["::FFFF:1.2.3.4", "1.2.3.4"],
    ["0:0:0:0:0:ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:1.2.3.4%eth0", "1.2.3.4"],
    ["fe80::1%eth0", "fe80::1"],
    ["::1.2.3.4", "::102:304"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
    ["::ffff:0:1.2.3.4", "::ffff:0:102:304"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
    ["1:2:3:4:5::1.2.3.4", "1:2:3:4:5:0:102:304"],
  ])("writes %s as %s", (text, normal) => {
    expect(normalizeIp(text)).toBe(normal);
    expect(normalizeIp(normal)).toBe(normal);
  });

  it.each<[unknown]>([
    [""],
    ["1.2.3"],
    ["01.2.3.4"],
    ["1.2.3.04"],
    ["0x7f.1"],
    ["0x7f.0.0.1"],
    ["2130706433"],
    ["256.1.1.1"],
    ["1.2.3.4.5"],
    ["1..2.3"],
    [".1.2.3.4"],
    ["1.2.3.4."],
    ["1.2.3.-4"],
    ["1.2.3.+4"],
    ["1.2.3.4:80"],
    ["1.2.3.4/32"],
    ["1.2.3.4%0"],
    ["[::1]"],
    ["::1/64"],
    [" 1.2.3.4"],
    ["1.2.3.4 "],
    ["1.2.3.4\n"],
    ["1.2.3.4\0"],
    ["\uff11.2.3.4"],
    ["1\u30022.3.4"],
    ["1::2::3"],
    [":::"],
    [":"],
    [":1"],
    ["1:"],
    ["::1:"],
    [":1::"],
    ["12345::"],
    ["g::"],
    ["1:2:3:4:5:6:7"],
    ["1:2:3:4:5:6:7:8:9"],
    ["1:2:3:4:5:6:7:8::"],
    ["1::2:3:4:5:6:7:8"],
    ["::1.2.3"],
    ["::1.2.3.04"],
    ["::1.2.3.4:5"],
    ["1:2:3:4:5:6:7:1.2.3.4"],
    ["1:2:3:4:5:6::1.2.3.4"],
    ["1.2.3.4::"],
    ["::1%"],
    ["::1%a b"],
    ["::1%%"],
    [".."],
    [null],
    [undefined],
    [16909060],
    [["1.2.3.4"]],
    [{ toString: () => "1.2.3.4" }],
  ])("refuses %j", (text) => {
    expect(normalizeIp(text)).toBeUndefined();
  });

  it("is idempotent and of the value another implementation finds", () => {
    fc.assert(
      fc.property(anyIpText, (text) => {
        const normal = normalizeIp(text);
        if (normal === undefined) return;
        expect(normal).toBe(oracle(text));
        expect(normalizeIp(normal)).toBe(normal);
        expect(isIP(normal)).not.toBe(0);
      }),
      { numRuns: 1000 },
    );
  });

  // On purpose, one difference: Node takes a zone of any length, we stop at 64 characters in all,
  // because what comes with a request must not be able to fill a cache with names of interfaces.
  it("accepts exactly what Node accepts, up to 64 characters", () => {
    fc.assert(
      fc.property(fc.oneof(anyIpText, fc.string({ unit: codePoint, maxLength: 20 })), (text) => {
        expect(normalizeIp(text) !== undefined).toBe(isIP(text) !== 0 && text.length <= 64);
      }),
      { numRuns: 1000 },
    );
    const long = `fe80::1%${"e".repeat(57)}`;
    expect([isIP(long), normalizeIp(long)]).toEqual([6, undefined]);
    expect(normalizeIp(long.slice(0, 64))).toBe("fe80::1");
  });

  it("gives one spelling to all texts of one value", () => {
    fc.assert(
      fc.property(fc.oneof(ipv4Text, ipv6Text), (text) => {
        const parsed = ipaddr.process(oracle(text));
        const forms =
          parsed instanceof ipaddr.IPv4
            ? [text, `::ffff:${parsed.toString()}`, parsed.toIPv4MappedAddress().toString()]
            : [text, parsed.toNormalizedString(), parsed.toRFC5952String().toUpperCase()];
        expect(new Set(forms.map(normalizeIp))).toEqual(new Set([normalizeIp(text)]));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("parseIp", () => {
  it("gives an address that was normalised before the same value", () => {
    const valueOf = (text: string): [number, number[]] => {
      const words = new Uint32Array(4);
      const version = parseIp(text, words);
      return [version, [...words.subarray(0, version === 6 ? 4 : 1)]];
    };
    fc.assert(
      fc.property(fc.oneof(ipv4Text, ipv6Text), fc.oneof(ipv4Text, ipv6Text), (one, other) => {
        normalizeIp(other);
        const [first, second] = [valueOf(one), normalizeIp(one)];
        // The normal form is remembered now, and then replaced by another one.
        expect([valueOf(one), normalizeIp(one)]).toEqual([first, second]);
        expect(valueOf(second ?? "")).toEqual(first);
        normalizeIp(other);
        expect(valueOf(second ?? "")).toEqual(first);
      }),
    );
  });

  it("gives one word for IPv4 and four for IPv6", () => {
    const words = new Uint32Array(4);
    expect(parseIp("255.0.0.1", words)).toBe(4);
    expect(words[0]).toBe(0xff000001);
    expect(parseIp("2001:db8::ffff:8000:1", words)).toBe(6);
    expect([...words]).toEqual([0x20010db8, 0, 0xffff, 0x80000001]);
    expect(parseIp("::ffff:255.0.0.1", words)).toBe(4);
    expect(words[0]).toBe(0xff000001);
    expect(parseIp("1.2.3", words)).toBe(0);
  });
});
