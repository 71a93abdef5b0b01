import { describe, expect, it } from "vitest";
import type { EmailAssessment } from "../../src/model/assessment.js";
import { type AssessmentCache, createCache } from "../../src/lookup/cache.js";
import { createLookups } from "../../src/lookup/lookups.js";
import { createSemaphore } from "../../src/lookup/semaphore.js";

describe("createLookups", () => {
  /** Lookups that record what is asked of their parts. */
  const recorded = () => {
    const steps: string[] = [];
    const cache: AssessmentCache<EmailAssessment> = createCache({
      maxEntries: 10,
      ttlMs: 1000,
      riskyTtlMs: 1000,
      staleMs: 0,
      failureTtlMs: 0,
    });
    const lookups = createLookups<EmailAssessment>({
      type: "email",
      normalize(value) {
        steps.push("normalize");
        return value.toLowerCase();
      },
      fold(value) {
        steps.push("fold");
        return value.toLowerCase();
      },
      pathOf: (value) => `/${value}`,
      client: {
        transport: {
          get(path) {
            steps.push(`get ${path}`);
            const body = Buffer.from('{"risk_score":7}');
            return {
              answer: Promise.resolve({ status: 200, body, header: () => undefined }),
              head: undefined,
              isUnread: false,
              cancel: () => {},
            };
          },
          close: async () => {},
        },
        semaphore: createSemaphore(1),
        breaker: undefined,
        timeoutMs: 1000,
        retries: 0,
        now: () => 0,
        redact: (text) => text,
      },
      cache: {
        ...cache,
        size: 0,
        peek(key, nowMs) {
          steps.push(`peek ${key}`);
          return cache.peek(key, nowMs);
        },
      },
      store: undefined,
    });
    return { lookups, steps };
  };

  it("normalizes once and asks the cache once for each lookup", async () => {
    const { lookups, steps } = recorded();
    expect((await lookups.lookup("A@x")).risk_score).toBe(7);
    expect(steps.splice(0)).toEqual(["normalize", "peek a@x", "get /A@x"]);
    await lookups.lookup("A@x");
    expect(steps.splice(0)).toEqual(["normalize", "peek a@x"]);
    expect(lookups.peek("A@x")?.source).toBe("cache");
    expect(steps.splice(0)).toEqual(["peek A@x", "fold", "peek a@x"]);
    expect(lookups.peek("a@x")?.source).toBe("cache");
    expect(steps).toEqual(["peek a@x"]);
  });
});
