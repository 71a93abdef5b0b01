import { PAYLOAD_TYPES } from "@riskgate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BatchElement, splitPayloads } from "../../src/dispatch/batch.js";
import { bodyOf } from "../../src/model/delivery-body.js";

const MIB = 1_048_576;
const roomy = { maxBodyBytes: 5 * MIB };

function elements(count: number, bytes = 40): BatchElement[] {
  return Array.from({ length: count }, (_, index) => {
    const payload = JSON.stringify({ index, pad: "x".repeat(bytes) });
    return { type: "security_event", payload } as const;
  });
}

describe("splitPayloads", () => {
  it.each([
    [0, []],
    [1, [1]],
    [1_000, [1_000]],
    [1_001, [1_000, 1]],
    [2_500, [1_000, 1_000, 500]],
  ])("DSP-02 splits %i payloads by count and keeps their order", (count, sizes) => {
    const batches = splitPayloads(elements(count), roomy);
    expect(batches.map((batch) => batch.elements.length)).toEqual(sizes);
    expect(batches.map(({ isFull }) => isFull)).toEqual(sizes.map((size) => size === 1_000));
    const sent = batches.flatMap(
      (batch) => JSON.parse(bodyOf(batch).toString()) as { index: number }[],
    );
    expect(sent.map(({ index }) => index)).toEqual([...Array(count).keys()]);
  });

  it("DSP-03 splits 1,000 payloads of 100 kB by bytes", () => {
    const batches = splitPayloads(elements(1_000, 100_000), roomy);
    for (const batch of batches) expect(bodyOf(batch).length).toBeLessThanOrEqual(5 * MIB);
    expect(batches.reduce((sum, batch) => sum + batch.elements.length, 0)).toBe(1_000);
    expect(batches).toHaveLength(20);
  });

  it("sends a payload over the limit alone and says so", () => {
    const small = elements(1, 10);
    const given = [...small, ...elements(1, 2_000), ...small, ...small];
    const batches = splitPayloads(given, { maxBodyBytes: 1_000 });
    expect(batches.map((batch) => [batch.elements.length, batch.isOversized])).toEqual([
      [1, false],
      [1, true],
      [2, false],
    ]);
  });

  it("fills a body to the last byte", () => {
    const pair = elements(2, 10);
    const exact = Buffer.byteLength(`[${pair.map(({ payload }) => payload).join(",")}]`);
    expect(splitPayloads(pair, { maxBodyBytes: exact })).toHaveLength(1);
    expect(splitPayloads(pair, { maxBodyBytes: exact - 1 })).toHaveLength(2);
  });

  it("keeps types apart where one type per call is asked for", () => {
    const mixed = (["security_event", "pulse", "security_event", "test"] as const).map(
      (type, index) => ({ type, payload: String(index) }),
    );
    const batches = splitPayloads(mixed, { ...roomy, oneTypePerCall: true });
    expect(batches.map((batch) => bodyOf(batch).toString())).toEqual(["[0,2]", "[1]", "[3]"]);
    expect(splitPayloads(mixed, roomy).map((batch) => bodyOf(batch).toString())).toEqual([
      "[0,1,2,3]",
    ]);
  });

  it("never loses, repeats, mixes up or overfills, whatever comes", () => {
    const element = fc.record({
      type: fc.constantFrom(...PAYLOAD_TYPES),
      payload: fc.json(),
    });
    fc.assert(
      fc.property(
        fc.array(element, { maxLength: 60 }),
        fc.integer({ min: 2, max: 300 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (given, maxBodyBytes, maxPayloads, oneTypePerCall) => {
          const batches = splitPayloads(given, { maxBodyBytes, maxPayloads, oneTypePerCall });
          for (const batch of batches) {
            const body = bodyOf(batch);
            expect(batch.bytes).toBe(body.length);
            expect(batch.elements.length).toBeGreaterThan(0);
            expect(batch.elements.length).toBeLessThanOrEqual(maxPayloads);
            expect(body.length <= maxBodyBytes || batch.elements.length === 1).toBe(true);
            expect(JSON.parse(body.toString())).toHaveLength(batch.elements.length);
            if (oneTypePerCall)
              expect(new Set(batch.elements.map(({ type }) => type)).size).toBe(1);
          }
          const groups = oneTypePerCall ? PAYLOAD_TYPES.map((type) => [type]) : [PAYLOAD_TYPES];
          for (const group of groups) {
            const isIn = ({ type }: BatchElement) => group.some((one) => one === type);
            expect(batches.flatMap((batch) => batch.elements).filter(isIn)).toEqual(
              given.filter(isIn),
            );
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
