import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CacheStore } from "../../src/lookup/cache-store.js";
import type { LookupMessage } from "../../src/lookup/lookup-channel.js";
import { isStale } from "../../src/lookup/stale-answer.js";
import { caught } from "../support/caught.js";
import { openClient } from "../support/open-client.js";
import {
  answering,
  type Behaviour,
  inTurn,
  jsonResponse,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";
import { until } from "../support/until.js";

const IP = "1.2.3.4";
const scoring = (score: number): Behaviour => answering(jsonResponse({ risk_score: score }));
const later =
  (bytes: Buffer, ms: number): Behaviour =>
  (socket) =>
    setTimeout(() => socket.write(bytes), ms);

describe("cache of the client", () => {
  it("CAC-01 answers the second lookup", async () => {
    const upstream = await startUpstream(scoring(7));
    const client = openClient(upstream);
    const first = await client.lookupIp(IP);
    expect(await client.lookupIp(IP)).toBe(first);
    expect(upstream.requests).toHaveLength(1);
  });

  it("CAC-02 asks once for 1,000 concurrent lookups", async () => {
    const upstream = await startUpstream(later(jsonResponse({ risk_score: 7 }), 20));
    const client = openClient(upstream);
    const found = await Promise.all(Array.from({ length: 1000 }, () => client.lookupIp(IP)));
    expect(new Set(found).size).toBe(1);
    expect(upstream.requests).toHaveLength(1);
  });

  it("CAC-03 fails 1,000 concurrent lookups with one call, and asks again a second later", async () => {
    const upstream = await startUpstream(later(response(503), 20));
    let nowMs = 0;
    const client = openClient(upstream, { retries: 0, now: () => nowMs });
    const errors = await Promise.all(
      Array.from({ length: 1000 }, () => caught(client.lookupIp(IP))),
    );
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["UPSTREAM_STATUS"]));
    expect(upstream.requests).toHaveLength(1);
    upstream.behave = scoring(7);
    nowMs = 999;
    expect((await caught(client.lookupIp(IP))).code).toBe("UPSTREAM_STATUS");
    expect(upstream.requests).toHaveLength(1);
    nowMs = 1000;
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
    expect(upstream.requests).toHaveLength(2);
  });

  it("CAC-04 one caller that leaves does not affect the others", async () => {
    const upstream = await startUpstream(later(jsonResponse({ risk_score: 7 }), 60));
    const client = openClient(upstream);
    const controller = new AbortController();
    const others = Array.from({ length: 99 }, () =>
      client.lookupIp(IP, { signal: new AbortController().signal }),
    );
    const leaver = client.lookupIp(IP, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect((await caught(leaver)).code).toBe("ABORTED");
    expect((await Promise.all(others)).every(({ risk_score }) => risk_score === 7)).toBe(true);
    expect(upstream.requests).toHaveLength(1);
  });

  it("CAC-05 the call ends when all callers have left", async () => {
    const upstream = await startUpstream(silent);
    const client = openClient(upstream);
    const controller = new AbortController();
    const { signal } = controller;
    const waiters = Array.from({ length: 100 }, () => caught(client.lookupIp(IP, { signal })));
    await until(() => upstream.requests.length === 1);
    controller.abort();
    await until(() => upstream.sockets.size === 0);
    expect(new Set((await Promise.all(waiters)).map(({ code }) => code))).toEqual(
      new Set(["ABORTED"]),
    );
    upstream.behave = scoring(7);
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
  });

  it.each([
    [40, 300_000],
    [40.5, 60_000],
  ])("CAC-06 keeps the score %d for %d ms", async (score, ttlMs) => {
    let nowMs = 1000;
    const upstream = await startUpstream(inTurn(scoring(score), scoring(2)));
    const client = openClient(upstream, { now: () => nowMs });
    await client.lookupIp(IP);
    nowMs += ttlMs - 1;
    expect((await client.lookupIp(IP)).risk_score).toBe(score);
    nowMs += 1;
    expect(client.peekIp(IP)).toBeUndefined();
    expect((await client.lookupIp(IP)).risk_score).toBe(2);
    expect(client.peekIp(IP)?.assessment.risk_score).toBe(2);
  });

  it("CAC-08 does not mix the types", async () => {
    const upstream = await startUpstream(scoring(7));
    const client = openClient(upstream);
    await client.lookupEmail(IP);
    await client.lookupIp(IP);
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      `/v1/emails/${IP}`,
      `/v1/ips/${IP}`,
    ]);
  });

  it("CAC-10 cannot be changed through what it returned", async () => {
    const upstream = await startUpstream(scoring(90));
    const client = openClient(upstream);
    const found = (await client.lookupIp(IP)) as { risk_score: number };
    expect(() => {
      found.risk_score = 0;
    }).toThrow(TypeError);
    expect((await client.lookupIp(IP)).risk_score).toBe(90);
  });

  it.each([
    ["A@x.y", "a@x.y", 2],
    ["a@X.Y", "a@x.y", 1],
  ])("CAC-11 for %s and %s asks %d times", async (one, other, calls) => {
    const upstream = await startUpstream(scoring(7));
    const client = openClient(upstream);
    await client.lookupEmail(one);
    await client.lookupEmail(other);
    expect(upstream.requests).toHaveLength(calls);
  });

  it.each([{ cache: { ttlMs: 0 } }, { cache: false } as const])(
    "CAC-12 keeps nothing with %o, and still shares calls",
    async (options) => {
      const upstream = await startUpstream(later(jsonResponse({ risk_score: 90 }), 20));
      const client = openClient(upstream, options);
      await Promise.all([client.lookupIp(IP), client.lookupIp(IP)]);
      expect(upstream.requests).toHaveLength(1);
      expect(client.peekIp(IP)).toBeUndefined();
      await client.lookupIp(IP);
      expect(upstream.requests).toHaveLength(2);
    },
  );
});

describe("stale assessments", () => {
  const settings = { retries: 0, breaker: false } as const;

  it("serve while the live call fails, and say so", async () => {
    let nowMs = 1000;
    const upstream = await startUpstream(scoring(95));
    const client = openClient(upstream, { ...settings, now: () => nowMs });
    const fresh = await client.lookupIp(IP);
    expect(isStale(fresh)).toBe(false);
    nowMs += 60_000;
    upstream.behave = answering(response(503));

    expect(client.peekIp(IP)).toBeUndefined();
    const stale = await client.lookupIp(IP);
    expect(stale).toEqual(fresh);
    expect(isStale(stale)).toBe(true);
    expect(Object.isFrozen(stale)).toBe(true);
    expect(JSON.stringify(stale)).toBe(JSON.stringify(fresh));
    expect(upstream.requests).toHaveLength(2);

    expect(client.peekIp(IP)).toEqual({ state: "scored", assessment: fresh, source: "stale" });
    expect(await client.lookupIp(IP)).toBe(stale);
    expect(upstream.requests).toHaveLength(2);

    nowMs += 1000;
    expect(client.peekIp(IP)).toBeUndefined();
    upstream.behave = scoring(5);
    expect((await client.lookupIp(IP)).risk_score).toBe(5);
  });

  it("are not served for ever", async () => {
    let nowMs = 1000;
    const upstream = await startUpstream(scoring(95));
    const client = openClient(upstream, { ...settings, now: () => nowMs });
    await client.lookupIp(IP);
    upstream.behave = answering(response(503));
    nowMs += 60_000 + 3_600_000;
    expect((await caught(client.lookupIp(IP))).code).toBe("UPSTREAM_STATUS");
  });

  it.each([
    [400, "BAD_REQUEST"],
    [401, "UNAUTHORIZED"],
  ])("do not hide status %d", async (status, code) => {
    let nowMs = 1000;
    const upstream = await startUpstream(scoring(95));
    const client = openClient(upstream, { ...settings, now: () => nowMs });
    await client.lookupIp(IP);
    upstream.behave = answering(response(status));
    nowMs += 60_000;
    expect((await caught(client.lookupIp(IP))).code).toBe(code);
  });
});

describe("breaker of the client", () => {
  it("fails fast with the code of the outage, and tries one call at a time", async () => {
    let nowMs = 1000;
    const upstream = await startUpstream(answering(response(503)));
    const breaker = { failures: 3, coolDownMs: 500 };
    const client = openClient(upstream, { retries: 0, breaker, now: () => nowMs });
    const ask = (n: number): Promise<unknown> => client.lookupIp(`1.2.3.${n}`);
    for (let n = 0; n < 3; n++) await caught(ask(n));
    expect(upstream.requests).toHaveLength(3);

    const refused = await caught(ask(3));
    expect([refused.code, refused.status]).toEqual(["UPSTREAM_STATUS", 503]);
    expect(upstream.requests).toHaveLength(3);

    nowMs += 500;
    upstream.behave = later(jsonResponse({ risk_score: 1 }), 30);
    const asked = await Promise.allSettled([ask(4), ask(5), ask(6)]);
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(upstream.requests).toHaveLength(4);
    await ask(7);
    expect(upstream.requests).toHaveLength(5);
  });

  it("tries one call in a cool-down, also when every caller leaves early", async () => {
    let nowMs = 1000;
    let sent = 0;
    const breaker = { failures: 1, coolDownMs: 1000 };
    const fetch: typeof globalThis.fetch = async () => {
      sent++;
      return sent === 1 ? new Response("", { status: 500 }) : new Promise(() => {});
    };
    const client = openClient(
      { url: "https://risk.example" },
      { fetch, breaker, now: () => nowMs },
    );
    await caught(client.lookupIp("1.2.3.4"));
    for (let second = 0; second < 3; second++) {
      nowMs += 1000;
      for (let n = 0; n < 20; n++) {
        const controller = new AbortController();
        const lookup = caught(client.lookupIp(`1.2.${second}.${n}`, { signal: controller.signal }));
        controller.abort();
        await lookup;
      }
    }
    expect(sent).toBe(1 + 3);
  });

  it("is not moved by lookups that never got a connection", async () => {
    const upstream = await startUpstream(silent);
    const client = openClient(upstream, {
      timeoutMs: 500,
      maxConnections: 1,
      breaker: { failures: 2, coolDownMs: 60_000 },
    });
    // On a real clock, the second lookup may have the connection of the first for a moment.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const pending = Array.from({ length: 5 }, (_, n) => caught(client.lookupIp(`1.2.3.${n}`)));
    vi.advanceTimersByTime(500);
    const errors = await Promise.all(pending);
    vi.useRealTimers();
    expect(errors.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => "TIMEOUT"));
    upstream.behave = scoring(7);
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
  });
});

describe("queue of the client", () => {
  it.each([1, 4])("sends at most %i requests at a time, in order", async (maxConnections) => {
    let open = 0;
    let most = 0;
    const upstream = await startUpstream((socket) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        socket.write(jsonResponse({ risk_score: 1 }));
      }, 5);
    });
    const client = openClient(upstream, { maxConnections });
    const ips = Array.from({ length: 60 }, (_, n) => `1.2.3.${n}`);
    await Promise.all(ips.map((ip) => client.lookupIp(ip)));
    expect(most).toBe(maxConnections);
    expect(upstream.connections).toBe(maxConnections);
    const arrived = upstream.requests.map(({ path }) => Number(path.split(".").at(-1)));
    expect(new Set(arrived).size).toBe(60);
    // Only those that are under way on other connections may be overtaken.
    for (const [place, turn] of arrived.entries()) {
      expect(turn).toBeLessThan(place + maxConnections);
    }
  });
});

describe("riskgate:lookup", () => {
  it("tells how each lookup ended, without personal data", async () => {
    const messages: LookupMessage[] = [];
    const listen = (message: unknown): void => void messages.push(message as LookupMessage);
    subscribe("riskgate:lookup", listen);
    onTestFinished(() => void unsubscribe("riskgate:lookup", listen));
    const upstream = await startUpstream(inTurn(answering(response(503)), scoring(7)));
    const client = openClient(upstream);
    await client.lookupIp(IP);
    await client.lookupIp(IP);
    await caught(client.lookupEmail(""));
    upstream.behave = answering(response(401));
    await caught(client.lookupEmail("a@x.y"));
    expect(messages.map(({ type, result, attempts }) => ({ type, result, attempts }))).toEqual([
      { type: "ip", result: "live", attempts: 2 },
      { type: "ip", result: "cache", attempts: 0 },
      { type: "email", result: "INVALID_ARGUMENT", attempts: 0 },
      { type: "email", result: "UNAUTHORIZED", attempts: 1 },
    ]);
    expect(messages.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    expect(JSON.stringify(messages)).not.toMatch(/1\.2\.3\.4|a@x/);
  });
});

/** A store as simple as the interface allows, with its texts to look at. */
class MapStore implements CacheStore {
  readonly texts = new Map<string, string>();
  readonly ttls: number[] = [];

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(key));
  }

  set(key: string, value: string, ttlMs: number): Promise<void> {
    this.texts.set(key, value);
    this.ttls.push(ttlMs);
    return Promise.resolve();
  }
}

describe("shared store", () => {
  const full = { email: "ann@example.org", risk_score: 20, later: [1] };

  it("serves another client of the same service and key", async () => {
    const upstream = await startUpstream(answering(jsonResponse(full)));
    const store = new MapStore();
    await openClient(upstream, { cache: { store } }).lookupEmail("ann@example.org");
    const other = openClient(upstream, { cache: { store } });
    const found = await other.lookupEmail("ann@example.org");
    expect(found).toEqual(full);
    expect(Object.keys(found)).toEqual(Object.keys(full));
    expect(Object.isFrozen(found.later)).toBe(true);
    expect(other.peekEmail("ann@example.org")?.source).toBe("cache");
    expect(upstream.requests).toHaveLength(1);
  });

  it("CAC-09 shares nothing between keys, base URLs and types", async () => {
    const upstream = await startUpstream(scoring(7));
    const store = new MapStore();
    const cache = { store };
    await openClient(upstream, { cache }).lookupIp(IP);
    await openClient(upstream, { cache, apiKey: "other" }).lookupIp(IP);
    await openClient({ url: `${upstream.url}/base` }, { cache }).lookupIp(IP);
    await openClient(upstream, { cache }).lookupEmail(IP);
    expect(upstream.requests).toHaveLength(4);
    expect(store.texts.size).toBe(4);
  });

  it.each<[string, (own: string, other: string) => string]>([
    ["not JSON", () => "not json"],
    ["{}", () => "{}"],
    ["null", () => "null"],
    ["a bare assessment", () => '{"risk_score":"0"}'],
    ["an older form", (own) => own.replace('"v":1', '"v":0')],
    ["10 MiB", (own) => own + " ".repeat(10 * 2 ** 20)],
    ["binary", () => "\0\u0001\u00ff"],
    ["the entry of another", (_, other) => other],
    ["a score that is not a number", (own) => own.replace('"risk_score":20', '"risk_score":"0"')],
    ["an expired entry", (own) => own.replace(/"t":\d+/, '"t":1')],
    ["no expiry", (own) => own.replace(/"t":[\d.]+,/, "")],
  ])("CAC-13 takes %s for a miss and writes it anew", async (_, spoil) => {
    const upstream = await startUpstream(answering(jsonResponse({ risk_score: 20 })));
    const store = new MapStore();
    const cache = { store };
    await openClient(upstream, { cache }).lookupEmail("a@x.y");
    await openClient(upstream, { cache }).lookupEmail("b@x.y");
    const [[name, own], [, other]] = [...store.texts] as [[string, string], [string, string]];
    store.texts.set(name, spoil(own, other));
    expect(store.texts.get(name)).not.toBe(own);
    const found = await openClient(upstream, { cache }).lookupEmail("a@x.y");
    expect(found.risk_score).toBe(20);
    expect(upstream.requests).toHaveLength(3);
    expect(store.texts.get(name)?.length).toBe(own.length);
  });

  it("never keeps an entry for longer than its own ttl", async () => {
    let nowMs = 1000;
    const upstream = await startUpstream(scoring(7));
    const store = new MapStore();
    await openClient(upstream, { cache: { store } }).lookupIp(IP);
    for (const [name, text] of store.texts) {
      store.texts.set(name, text.replace(/"t":[\d.]+/, '"t":9e15'));
    }
    const client = openClient(upstream, { cache: { store }, now: () => nowMs });
    await client.lookupIp(IP);
    expect(client.peekIp(IP)).toBeDefined();
    nowMs += 300_000;
    expect(client.peekIp(IP)).toBeUndefined();
  });

  it.each<[string, CacheStore]>([
    [
      "throws",
      {
        get: () => {
          throw new Error("get");
        },
        set: () => {
          throw new Error("set");
        },
      },
    ],
    [
      "rejects",
      {
        get: () => Promise.reject(new Error("get")),
        set: () => Promise.reject(new Error("set")),
      },
    ],
    ["hangs", { get: () => new Promise(() => {}), set: () => new Promise(() => {}) }],
    ["gives null", { get: () => Promise.resolve(null) as never, set: () => Promise.resolve() }],
    [
      "gives bytes",
      { get: () => Promise.resolve(Buffer.alloc(3)) as never, set: () => 5 as never },
    ],
  ])("R33 never fails a lookup when it %s", async (_, store) => {
    const upstream = await startUpstream(scoring(7));
    const client = openClient(upstream, { cache: { store } });
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
  });

  it("is waited for as long as it says", async () => {
    const upstream = await startUpstream(scoring(7));
    const store = new MapStore();
    await openClient(upstream, { cache: { store } }).lookupIp(IP);
    const slow: CacheStore = {
      readTimeoutMs: 30_000,
      async get(key) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return store.get(key);
      },
      set: async () => {},
    };
    const client = openClient(upstream, { cache: { store: slow }, timeoutMs: 30_000 });
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
    expect(upstream.requests).toHaveLength(1);
  });

  it("R16 is under the deadline of the lookup", async () => {
    const upstream = await startUpstream(scoring(7));
    const store: CacheStore = { get: () => new Promise(() => {}), set: () => Promise.resolve() };
    const client = openClient(upstream, { cache: { store }, timeoutMs: 30 });
    expect((await caught(client.lookupIp(IP))).code).toBe("TIMEOUT");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(upstream.requests).toHaveLength(0);
  });

  it("is not believed for answers that this client does not keep", async () => {
    const upstream = await startUpstream(scoring(90));
    const store = new MapStore();
    await openClient(upstream, { cache: { store } }).lookupIp(IP);
    await openClient(upstream, { cache: { store, riskyTtlMs: 0 } }).lookupIp(IP);
    expect(upstream.requests).toHaveLength(2);
  });

  it("does not see answers that are not to be kept", async () => {
    const upstream = await startUpstream(inTurn(scoring(90), answering(response(500))));
    const store = new MapStore();
    const cache = { store, riskyTtlMs: 0 };
    const client = openClient(upstream, { cache });
    await client.lookupIp(IP);
    await caught(client.lookupIp(IP));
    expect(store.texts.size).toBe(0);
  });

  it("CAC-14 CAC-15 is given an expiry, and no address or key, each time", async () => {
    const store = new MapStore();
    await lookUpMany(store);
    expect(store.ttls).toHaveLength(1000);
    expect(store.ttls.every((ttlMs) => Number.isInteger(ttlMs) && ttlMs > 0)).toBe(true);
    expect(JSON.stringify([...store.texts])).not.toMatch(/@|person|key-5ee9/);
  });
});

/** Look up 1,000 addresses whose answers repeat the address. */
async function lookUpMany(store: CacheStore): Promise<void> {
  const upstream = await startUpstream((socket, { path }) => {
    const email = decodeURIComponent(path.slice("/v1/emails/".length));
    socket.write(jsonResponse({ email, risk_score: 50 }));
  });
  const client = openClient(upstream, { cache: { store } });
  const emails = Array.from({ length: 1000 }, (_, n) => `person-${n}@example.org`);
  await Promise.all(emails.map((email) => client.lookupEmail(email)));
}

const redis = await connectRedis();

describe.skipIf(!redis)("shared store on Redis (skipped where none answers at REDIS_URL)", () => {
  const prefix = `riskgate-test:${process.pid}:`;
  const db = redis as Redis;
  const store: CacheStore = {
    // A busy machine takes longer than 100 ms for 10 MiB.
    readTimeoutMs: 30_000,
    get: async (key) => (await db.get(prefix + key)) ?? undefined,
    set: async (key, value, ttlMs) => void (await db.set(prefix + key, value, "PX", ttlMs)),
  };
  const names = (): Promise<string[]> => db.keys(`${prefix}*`);
  const cleaned = (): void =>
    onTestFinished(async () => {
      const keys = await names();
      if (keys.length > 0) await db.del(...keys);
    });

  it.each(["not json", "{}", '{"risk_score":"0"}', "x".repeat(10 * 2 ** 20), "\0\u00ff"])(
    "CAC-13 takes a spoilt value for a miss (%.20s)",
    async (spoilt) => {
      cleaned();
      const upstream = await startUpstream(scoring(7));
      await openClient(upstream, { cache: { store } }).lookupIp(IP);
      await expect.poll(names).toHaveLength(1);
      const [name] = (await names()) as [string];
      await db.set(name, spoilt, "PX", 60_000);
      await openClient(upstream, { cache: { store } }).lookupIp(IP);
      expect(upstream.requests).toHaveLength(2);
      await expect.poll(() => db.get(name)).toContain('"risk_score":7');
      await openClient(upstream, { cache: { store } }).lookupIp(IP);
      expect(upstream.requests).toHaveLength(2);
    },
  );

  it("CAC-14 CAC-15 holds an expiry for every key, and no address or key", async () => {
    cleaned();
    await lookUpMany(store);
    await expect.poll(names).toHaveLength(1000);
    const keys = await names();
    const ttls = await Promise.all(keys.map((key) => db.pttl(key)));
    expect(ttls.every((ttl) => ttl > 0 && ttl <= 60_000)).toBe(true);
    const values = await db.mget(keys);
    expect(JSON.stringify([keys, values])).not.toMatch(/@|person|key-5ee9/);
  });
});

async function connectRedis(): Promise<Redis | undefined> {
  const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379", {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // Nothing must hold the test process when it is done.
    keepAlive: 0,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch {
    client.disconnect();
    return undefined;
  }
}
