import { describe, expect, it } from "vitest";
import type { EmailAssessment } from "../../src/model/assessment.js";
import { createCache } from "../../src/lookup/cache.js";

const settings = {
  maxEntries: 10_000,
  ttlMs: 100,
  riskyTtlMs: 50,
  staleMs: 1000,
  failureTtlMs: 20,
};

describe("createCache", () => {
  it("CAC-07 never holds more than its maximum", () => {
    const cache = createCache<EmailAssessment>(settings);
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 100_000; n++) {
      cache.put(`person-${n}@example.org`, Object.freeze({ risk_score: n % 100 }), 100, 0);
      if (n % 1000 === 0) expect(cache.size).toBeLessThanOrEqual(10_000);
    }
    globalThis.gc?.();
    expect(cache.size).toBe(10_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 2 ** 20);
  });

  it("CAC-07 evicts more for a large answer", () => {
    const cache = createCache<EmailAssessment>({ ...settings, maxEntries: 1_000 });
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 500; n++) {
      const parsed = JSON.parse(`{"risk_score":5,"x":[${"{},".repeat(21_000)}{}]}`) as object;
      cache.put(`person-${n}@example.org`, parsed as EmailAssessment, 100, 0);
    }
    globalThis.gc?.();
    expect(cache.size).toBeGreaterThan(0);
    expect(cache.size).toBeLessThan(10);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 2 ** 20);
    cache.put("small", Object.freeze({ risk_score: 1 }), 100, 0);
    expect(cache.peek("small", 0)).toBeDefined();
  });

  it("hands out one and the same evidence", () => {
    const cache = createCache(settings);
    cache.put("a", Object.freeze({ risk_score: 1 }), 100, 0);
    expect(cache.peek("a", 0)).toBe(cache.peek("a", 99));
    expect(cache.peek("a", 100)).toBeUndefined();
  });

  it("lets a failure be remembered no longer than the entry may serve", () => {
    const cache = createCache({ ...settings, staleMs: 10 });
    cache.put("a", Object.freeze({ risk_score: 1 }), 100, 0);
    expect(cache.fail("a", 105)?.source).toBe("stale");
    expect(cache.peek("a", 109)?.source).toBe("stale");
    expect(cache.peek("a", 110)).toBeUndefined();
    expect(cache.fail("a", 110)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it("ends the failure with the next answer", () => {
    const cache = createCache(settings);
    cache.put("a", Object.freeze({ risk_score: 1 }), 100, 0);
    cache.fail("a", 150);
    cache.put("a", Object.freeze({ risk_score: 2 }), 100, 151);
    expect(cache.peek("a", 152)?.assessment.risk_score).toBe(2);
  });
});
