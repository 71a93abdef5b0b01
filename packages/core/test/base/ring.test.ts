import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Link, Ring, unlink } from "../../src/base/ring.js";

describe("Ring", () => {
  it("keeps the order of coming, whoever leaves", () => {
    const step = fc.oneof(
      fc.constant("add" as const),
      fc.constant("shift" as const),
      fc.nat({ max: 50 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ring = new Ring<object>();
        const links: { value: object; link: Link<object> }[] = [];
        let inside: object[] = [];
        for (const what of steps) {
          if (what === "add") {
            const value = {};
            links.push({ value, link: ring.add(value) });
            inside.push(value);
          } else if (what === "shift") {
            expect(ring.shift()).toBe(inside.shift());
          } else {
            // Some of them are out already, and leave a second time.
            const left = links[what % Math.max(1, links.length)];
            if (left) unlink(left.link);
            inside = inside.filter((value) => value !== left?.value);
          }
          expect(ring.first).toBe(inside[0]);
        }
      }),
    );
  });

  it("leaves nothing in a link that is out", () => {
    const ring = new Ring<string>();
    const first = ring.add("a");
    const second = ring.add("b");
    ring.add("c");
    unlink(second);
    expect([second.value, second.before, second.after]).toEqual([undefined, second, second]);
    expect(ring.shift()).toBe("a");
    expect([first.value, first.after]).toEqual([undefined, first]);
  });
});
