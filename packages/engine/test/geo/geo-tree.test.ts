import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { Reader } from "maxmind";
import { describe, expect, it } from "vitest";
import { GeoTree } from "../../src/geo/geo-tree.js";
import { parseAddress } from "../../src/identifier/parsed-ip.js";
import { hasSharedData, sharedData } from "../support/shared-data.js";

const at = (ip: string) => parseAddress(ip)!;

/** One node whose left record is the IPv4 half of the space and whose right record is empty. */
function oneNode(recordSize: 24 | 28 | 32, left: number, right: number): GeoTree {
  const bytes = Buffer.alloc(64);
  if (recordSize === 24) {
    bytes.writeUIntBE(left, 0, 3);
    bytes.writeUIntBE(right, 3, 3);
  } else if (recordSize === 32) {
    bytes.writeUInt32BE(left, 0);
    bytes.writeUInt32BE(right, 4);
  } else {
    bytes.writeUIntBE(left & 0xffffff, 0, 3);
    bytes[3] = ((left >>> 24) << 4) | (right >>> 24);
    bytes.writeUIntBE(right & 0xffffff, 4, 3);
  }
  return new GeoTree(bytes, { nodeCount: 1, recordSize, ipVersion: 4 });
}

describe("GeoTree", () => {
  it.each([
    [24, 0xabcdef, 0xfedcba],
    [28, 0x9abcdef, 0xf123456],
    [32, 0xfabcdef0, 0x80000001],
  ] as const)("reads records of %d bits", (recordSize, left, right) => {
    const tree = oneNode(recordSize, left, right);
    expect(tree.placeOf(at("1.2.3.4"))).toBe(left);
    expect(tree.placeOf(at("200.2.3.4"))).toBe(right);
  });

  it("finds nothing where a record says so, and for IPv6 in a tree of IPv4", () => {
    const tree = oneNode(24, 1, 99);
    expect(tree.placeOf(at("1.2.3.4"))).toBe(0);
    expect(tree.placeOf(at("200.2.3.4"))).toBe(99);
    expect(tree.placeOf(at("c800::1"))).toBe(0);
  });

  it("ends in a tree that leads back to itself", () => {
    expect(oneNode(24, 0, 0).placeOf(at("1.2.3.4"))).toBe(0);
  });

  it("refuses a file that is shorter than its tree", () => {
    const shape = { nodeCount: 10, recordSize: 24, ipVersion: 4 };
    expect(() => new GeoTree(Buffer.alloc(59), shape)).toThrow(RangeError);
  });
});

describe.runIf(hasSharedData)("GeoTree on real databases (in ../shared/data)", () => {
  it.each(["GeoIP2-City-Test", "GeoLite2-City-Test", "GeoIP2-Country-Test", "GeoLite2-ASN-Test"])(
    "finds a record in %s exactly where another reader does",
    (name) => {
      const bytes = readFileSync(sharedData(`geo/${name}.mmdb`));
      const reader = new Reader(bytes);
      const tree = new GeoTree(bytes, reader.metadata);
      const near = fc
        .tuple(fc.constantFrom(2, 67, 81, 89, 149, 175, 202, 216), fc.ipV4())
        .map(([first, ip]) => ip.replace(/^\d+/, String(first)));
      const near6 = fc
        .tuple(fc.constantFrom("2001:200", "2001:218", "2a02:cf40", "2600:1"), fc.ipV4())
        .map(([head, tail]) => `${head}:${tail.split(".").slice(0, 2).join(":")}::1`);
      fc.assert(
        fc.property(fc.oneof(fc.ipV4(), near, near6), (ip) => {
          expect([ip, tree.placeOf(at(ip)) > 0]).toEqual([ip, reader.get(ip) !== null]);
        }),
        { numRuns: 3000 },
      );
    },
  );
});
