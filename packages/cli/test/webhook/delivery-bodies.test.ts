import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deliveryBodies } from "../../src/webhook/delivery-bodies.js";

const FIVE_MIB = 5_242_880;

describe("deliveryBodies", () => {
  it.each([
    [0, []],
    [1, [1]],
    [1000, [1000]],
    [1001, [1000, 1]],
    [2500, [1000, 1000, 500]],
  ])("DSP-02 cuts %d payloads into %j", (count, sizes) => {
    const payloads = Array.from({ length: count }, (_, at) => at);
    const deliveries = [...deliveryBodies(payloads, FIVE_MIB)];
    expect(deliveries.map(({ payloads }) => payloads)).toEqual(sizes);
  });

  it("DSP-03 keeps 1,000 payloads of 100 kB within the limit", () => {
    const payloads = Array.from({ length: 1000 }, () => "x".repeat(100_000));
    const deliveries = [...deliveryBodies(payloads, FIVE_MIB)];
    for (const { body } of deliveries) expect(body.length).toBeLessThanOrEqual(FIVE_MIB);
    expect(deliveries.reduce((sum, { payloads }) => sum + payloads, 0)).toBe(1000);
  });

  it("keeps every payload, in order, in bodies that could not hold one more", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 60 }),
        fc.integer({ min: 2, max: 400 }),
        (payloads, maxBytes) => {
          const deliveries = [...deliveryBodies(payloads, maxBytes)];
          const parsed = deliveries.map(({ body }) => JSON.parse(body.toString()) as unknown[]);
          expect(JSON.stringify(parsed.flat(1))).toBe(JSON.stringify(payloads));
          deliveries.forEach(({ body, payloads: count }, at) => {
            expect(count).toBe(parsed.at(at)!.length);
            if (count > 1) expect(body.length).toBeLessThanOrEqual(maxBytes);
            const next = parsed[at + 1]?.[0];
            if (next === undefined) return;
            expect(body.length + 1 + Buffer.byteLength(JSON.stringify(next))).toBeGreaterThan(
              maxBytes,
            );
          });
        },
      ),
      { numRuns: 1000 },
    );
  });
});
