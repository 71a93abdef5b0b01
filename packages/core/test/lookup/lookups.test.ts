import { describe, expect, it } from "vitest";
import type { EmailAssessment } from "../../src/model/assessment.js";
import { type AssessmentCache, createCache } from "../../src/lookup/cache.js";
import { createLookups } from "../../src/lookup/lookups.js";
import { createSemaphore } from "../../src/lookup/semaphore.js";
import type { Answer } from "../../src/lookup/transport.js";
import { caught } from "../support/caught.js";

const FOUND: Answer = {
  status: 200,
  body: Buffer.from('{"risk_score":7}'),
  header: () => undefined,
};

describe("createLookups", () => {
  /** Lookups that record what is asked of their parts. */
  const recorded = (answer?: Promise<Answer>) => {
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
      path: "/",
      client: {
        transport: {
          send({ path }) {
            steps.push(`get ${path}`);
            return {
              answer: answer ?? Promise.resolve(FOUND),
              head: undefined,
              isUnread: false,
              cancel: () => {},
            };
          },
          close: async () => {},
        },
        semaphore: createSemaphore(10),
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
    expect(steps.splice(0)).toEqual(["normalize", "peek a@x", "get /A%40x"]);
    await lookups.lookup("A@x");
    expect(steps.splice(0)).toEqual(["normalize", "peek a@x"]);
    expect(lookups.peek("A@x")?.source).toBe("cache");
    expect(steps.splice(0)).toEqual(["peek A@x", "fold", "peek a@x"]);
    expect(lookups.peek("a@x")?.source).toBe("cache");
    expect(steps).toEqual(["peek a@x"]);
  });

  it("shares one call among equal identifiers only", async () => {
    let resolve!: (answer: Answer) => void;
    const { lookups, steps } = recorded(new Promise((done) => (resolve = done)));
    const found = ["A@x", "a@x", "b@x"].map((email) => lookups.lookup(email));
    expect(steps.filter((step) => step.startsWith("get"))).toEqual(["get /A%40x", "get /b%40x"]);
    resolve(FOUND);
    expect(await Promise.all(found)).toHaveLength(3);
  });

  it("makes a new call for a lookup that comes after the last caller of one has left", async () => {
    const { lookups, steps } = recorded(new Promise(() => {}));
    const first = new AbortController();
    const left = caught(lookups.lookup("a@x", { signal: first.signal }));
    first.abort();
    const second = new AbortController();
    const others = [1, 2].map(() => caught(lookups.lookup("a@x", { signal: second.signal })));
    expect((await left).code).toBe("ABORTED");
    others.push(caught(lookups.lookup("a@x", { signal: second.signal })));
    expect(steps.filter((step) => step.startsWith("get"))).toHaveLength(2);
    second.abort();
    expect((await Promise.all(others)).map(({ code }) => code)).toEqual(Array(3).fill("ABORTED"));
  });
});
