import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeToken, type TokenBucket } from "../../src/http/rate-limit.js";

const LIMIT = { burst: 3, perSecond: 2 };

describe("takeToken", () => {
  it("gives a burst, then as many as come in time", () => {
    let bucket: TokenBucket | undefined;
    const waits = [0, 0, 0, 0, 250, 500, 500].map((atMs) => {
      const taken = takeToken(LIMIT, bucket, atMs);
      bucket = taken.bucket;
      return taken.waitMs;
    });
    expect(waits).toEqual([0, 0, 0, 500, 250, 0, 500]);
  });

  it("never gives more than the burst and what time brings, nor less", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.nat(400), { maxLength: 60 }),
        (burst, perSecond, pauses) => {
          let bucket: TokenBucket | undefined;
          let nowMs = 0;
          let given = 0;
          for (const pause of pauses) {
            nowMs += pause;
            const taken = takeToken({ burst, perSecond }, bucket, nowMs);
            bucket = taken.bucket;
            if (taken.waitMs === 0) given++;
            else {
              expect(taken.waitMs).toBeLessThanOrEqual(1000 / perSecond + 1e-6);
              const later = nowMs + taken.waitMs + 1e-6;
              expect(takeToken({ burst, perSecond }, bucket, later).waitMs).toBe(0);
            }
          }
          expect(given).toBeLessThanOrEqual(burst + (nowMs * perSecond) / 1000 + 1e-6);
          expect(given).toBeGreaterThanOrEqual(Math.min(burst, pauses.length));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
