import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRanges } from "../../src/geo/geo-ranges.js";
import { GeoTree } from "../../src/geo/geo-tree.js";
import { parseAddress } from "../../src/identifier/parsed-ip.js";
import { PlaceNumbers } from "../../src/geo/place-numbers.js";

const at = (ip: string) => parseAddress(ip)!;

/** A tree of IPv4 addresses with nodes of 64 bits, each half a node, a place, or nothing. */
function treeOf(nodes: readonly (readonly [left: number, right: number])[]): GeoTree {
  const bytes = Buffer.alloc(nodes.length * 8);
  for (const [index, [left, right]] of nodes.entries()) {
    bytes.writeUInt32BE(left, index * 8);
    bytes.writeUInt32BE(right, index * 8 + 4);
  }
  return new GeoTree(bytes, { nodeCount: nodes.length, recordSize: 32, ipVersion: 4 });
}

/** Put networks with a place each into a tree, the larger ones first. */
function treeOfNetworks(networks: readonly [address: number, length: number][]): GeoTree {
  const nodes: [number, number][] = [[-1, -1]];
  const sidesOf = (node: number) => nodes.at(node)!;
  const places: [node: number, side: 0 | 1, place: number][] = [];
  for (const [index, [address, length]] of networks.entries()) {
    let node = 0;
    for (let bit = 0; bit < length; bit++) {
      const side = ((address >>> (31 - bit)) & 1) as 0 | 1;
      if (bit === length - 1) places.push([node, side, index + 1]);
      else {
        if (sidesOf(node)[side] < 0) sidesOf(node)[side] = nodes.push([-1, -1]) - 1;
        node = sidesOf(node)[side];
      }
    }
  }
  for (const [node, side, place] of places) {
    if (sidesOf(node)[side] < 0) sidesOf(node)[side] = nodes.length + place;
  }
  return treeOf(
    nodes.map(([left, right]) => [
      left < 0 ? nodes.length : left,
      right < 0 ? nodes.length : right,
    ]),
  );
}

describe("compileRanges", () => {
  it("finds the place that a walk through the tree finds", async () => {
    const address = fc.oneof(fc.constantFrom(0, 0x7fffffff, 0x80000000), fc.nat(0xffffffff));
    const network = fc.tuple(address, fc.integer({ min: 1, max: 32 }));
    await fc.assert(
      fc.asyncProperty(fc.array(network), fc.array(address), async (networks, random) => {
        const tree = treeOfNetworks(networks);
        const places = new PlaceNumbers();
        const ranges = await compileRanges(tree, places);
        const near = networks.flatMap(([value]) => [value, value + 1, value - 1]);
        for (const value of [0, 0xffffffff, ...near, ...random]) {
          const word = value >>> 0;
          const text = [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join(".");
          const expected = places.of(tree.placeOf(at(text)));
          expect([text, ranges.numberAt(word)]).toEqual([text, expected]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("takes a tree larger than one step", async () => {
    // Every network of 16 bits has a place of its own.
    const count = 2 ** 16 - 1;
    const below = (child: number) => (child < count ? child : child + 1);
    const tree = treeOf(
      Array.from({ length: count }, (_, node) => [below(2 * node + 1), below(2 * node + 2)]),
    );
    const places = new PlaceNumbers();
    const ranges = await compileRanges(tree, places);
    for (const upper of [0, 1, 255, 256, 32_767, 32_768, 65_535]) {
      const expected = places.of(count + 1 + upper);
      expect(ranges.numberAt(upper * 0x10000)).toBe(expected);
      expect(ranges.numberAt(upper * 0x10000 + 0xffff)).toBe(expected);
    }
  });

  it.each<[string, [number, number][]]>([
    ["its only node", [[0, 0]]],
    [
      "a node above",
      [
        [1, 9],
        [9, 0],
      ],
    ],
  ])("refuses a tree that leads back to %s", async (_, nodes) => {
    await expect(compileRanges(treeOf(nodes), new PlaceNumbers())).rejects.toThrow(RangeError);
  });
});
