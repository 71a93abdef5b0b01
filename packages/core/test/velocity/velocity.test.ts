import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createMemoryVelocityStore } from "../../src/velocity/memory-store.js";
import type { Velocity, VelocityFacts } from "../../src/model/velocity.js";
import type { VelocityReading } from "../../src/model/velocity-reading.js";
import { createVelocity, type VelocityOptions } from "../../src/velocity/velocity.js";
import type { VelocityStore } from "../../src/velocity/velocity-store.js";

const HOUR_MS = 3_600_000;

/** A velocity on a clock that is put forward. */
function onClock(options: VelocityOptions = {}) {
  const clock = { nowMs: 0 };
  const store = createMemoryVelocityStore({ now: () => clock.nowMs });
  return { clock, velocity: createVelocity({ store, ...options }) };
}

/** What the last of several events is read as. */
function after(velocity: Velocity, events: readonly VelocityFacts[]): VelocityReading | undefined {
  return events.map((facts) => velocity.count(facts) as VelocityReading | undefined).at(-1);
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** An address of its own for each event, in a network of its own. */
const scattered = (index: number): string => `${20 + (index % 60)}.${index >> 6}.7.9`;

describe("sign-ups", () => {
  it("are suspicious when one mailbox comes under many spellings", () => {
    const { velocity } = onClock();
    const alias = (index: number) => ({ email: `ada+${index}@shop.example`, ip: scattered(index) });
    expect(after(velocity, times(2, alias))).toBeUndefined();
    expect(after(velocity, [alias(2)])).toEqual({
      adds: 0,
      sharedAdds: 32,
      signals: [{ name: "mailbox", count: 3, weight: 32 }],
    });
    expect(after(velocity, [alias(3), alias(4)])?.sharedAdds).toBe(95);
  });

  it("fold what the provider of the mailbox ignores", () => {
    const { velocity } = onClock();
    const spellings = [
      "a.d.a@gmail.com",
      "ada+x@gmail.com",
      "ad.a@googlemail.com",
      "ADA.@gmail.com",
    ];
    const reading = after(
      velocity,
      spellings.map((email, index) => ({ email, ip: scattered(index) })),
    );
    expect(reading?.signals).toEqual([{ name: "mailbox", count: 4, weight: 63 }]);
  });

  it.each([" ".repeat(400), "\u3000".repeat(110), "\ud800"])(
    "are counted with %j behind",
    (rest) => {
      const { velocity } = onClock();
      const padded = (index: number) => ({
        email: `ada@shop.example${rest}`,
        ip: scattered(index),
      });
      expect(after(velocity, times(5, padded))?.signals).toMatchObject([{ name: "mailbox" }]);
    },
  );

  it("are one where the same form is sent again from the same network", () => {
    const { velocity } = onClock();
    const same = { email: "ada@shop.example", ip: "9.9.9.9" };
    expect(
      after(
        velocity,
        times(100, () => same),
      ),
    ).toBeUndefined();
    // Elsewhere they count: what was sent once must not clear another address.
    expect(
      after(
        velocity,
        times(5, (index) => ({ ...same, ip: scattered(index) })),
      )?.sharedAdds,
    ).toBe(95);
  });

  it.each([
    ["from another address of the network", { ip: "9.9.9.8" }],
    ["by a page of another site", { crossSite: true }],
  ])("count by address even if each was first sent %s", (_, first) => {
    const { velocity } = onClock();
    let reading: VelocityReading | undefined;
    for (let index = 0; index < 300; index++) {
      const facts = { email: `p${index}@s${index}.example`, ip: "9.9.9.9" };
      void velocity.count({ ...facts, ...first });
      reading = velocity.count(facts) as VelocityReading | undefined;
    }
    expect(reading?.signals[0]).toEqual({ name: "address", count: 300, weight: 90 });
  });

  it("are suspicious when many come from one /64, whatever its other half", () => {
    const { velocity } = onClock();
    const visit = (index: number) => ({
      email: `person${index}@gmail.com`,
      ip: `2600:3c00:1:2:${index.toString(16)}::1`,
    });
    expect(after(velocity, times(10, visit))).toBeUndefined();
    const [signal] = after(velocity, times(60, visit))?.signals ?? [];
    expect(signal).toEqual({ name: "ipv6_64", count: 60, weight: 95 });
  });

  it("count addresses that a NAT64 gateway translates by their IPv4 address", () => {
    const velocity = createVelocity({ limits: { address: { from: 1, to: 101, weight: 100 } } });
    const signUp = (ip: string, n: number) => velocity.count({ ip, email: `p${n}@s${n}.example` });
    for (let n = 0; n < 50; n++) void signUp(`64:ff9b::8.8.${n}.8`, n);
    expect(velocity.read({ ip: "64:ff9b::8.8.100.8" })).toBeUndefined();
    void signUp("8.8.7.8", 60);
    expect(velocity.read({ ip: "64:ff9b::8.8.7.8" })).toMatchObject({
      signals: [{ name: "address", count: 2 }],
    });
  });

  it("are suspicious when many come from one address, one /24, one domain or one system", () => {
    const limits = {
      address: { from: 2, to: 4, weight: 40 },
      ipv4_24: { from: 4, to: 8, weight: 30 },
      domain: { from: 4, to: 8, weight: 20 },
      asn: { from: 4, to: 8, weight: 10 },
    };
    const { velocity } = onClock({ limits });
    const visit = (index: number) => ({
      email: `person${index}@shop.example`,
      ip: `9.9.9.${index >> 1}`,
      asn: 64_500,
    });
    expect(after(velocity, times(8, visit))?.signals).toEqual([
      { name: "ipv4_24", count: 8, weight: 30 },
      { name: "domain", count: 8, weight: 20 },
      { name: "asn", count: 8, weight: 10 },
    ]);
    const crowd = times(4, (index) => ({
      ...visit(index),
      ip: "9.9.8.8",
      email: `b${index}@c.example`,
    }));
    expect(after(velocity, crowd)?.signals[0]).toEqual({ name: "address", count: 4, weight: 40 });
  });

  it("count nothing by a domain at which anybody has a mailbox", () => {
    const limits = { domain: { from: 1, to: 2 } };
    const { velocity } = onClock({ limits, largeProviders: ["Mail.Example"] });
    for (const domain of ["gmail.com", "outlook.com", "mail.example"]) {
      const visits = times(9, (index) => ({ email: `p${index}@${domain}` }));
      expect(after(velocity, visits)).toBeUndefined();
    }
    const visits = times(9, (index) => ({ email: `p${index}@shop.example` }));
    expect(after(velocity, visits)?.signals[0]?.name).toBe("domain");
  });

  it.each<[string, (index: number) => string]>([
    ["sub-domains", (index) => `p@s${index}.evil.example`],
    ["sub-domains below a public suffix", (index) => `p@s${index}.evil.co.uk`],
    ["address literals of one IPv4 address", (index) => `p${index}@[192.0.2.1]`],
    [
      "literals with and without brackets",
      (index) => `p${index}@${["[192.0.2.1]", "192.0.2.1"][index & 1]}`,
    ],
    ["literals of one /64", (index) => `p@[IPv6:2001:db8::${index}]`],
    ["domains in brackets", (index) => `p${index}@[evil.example]`],
  ])("count %s together", async (_, email) => {
    const { velocity } = onClock({ limits: { domain: { from: 1, to: 9, weight: 9 } } });
    // Loads before the first request.
    await import("tldts");
    const visits = times(9, (index) => ({ email: email(index), ip: scattered(index) }));
    expect(after(velocity, visits)?.signals).toEqual([{ name: "domain", count: 9, weight: 9 }]);
  });

  it.each<[string, (index: number) => string]>([
    ["domains", (index) => `p@evil${index}.co.uk`],
    ["customers of a private suffix", (index) => `p@evil${index}.github.io`],
    ["IPv4 literals", (index) => `p@[192.0.2.${index}]`],
    ["sub-domains of a domain with many mailboxes", (index) => `p@s${index}.gmail.com`],
  ])("count different %s apart, or not at all", async (_, email) => {
    const { velocity } = onClock({ limits: { domain: { from: 1, to: 2 } } });
    await import("tldts");
    const visits = times(9, (index) => ({ email: email(index), ip: scattered(index) }));
    expect(after(velocity, visits)).toBeUndefined();
  });

  it("find the registrable domain by an option", () => {
    const seen: string[] = [];
    const registrableDomain = (domain: string): string | null => {
      seen.push(domain);
      return domain === "co.uk" ? null : domain.split(".").slice(-2).join(".");
    };
    const limits = { domain: { from: 1, to: 9, weight: 9 } };
    const { velocity } = onClock({ limits, registrableDomain });
    const visits = times(9, (index) => ({
      email: `p@S${index}.Evil.Example`,
      ip: scattered(index),
    }));
    expect(after(velocity, visits)?.signals[0]).toMatchObject({ name: "domain", count: 9 });
    expect(seen[0]).toBe("s0.evil.example");
    expect(velocity.count({ email: "p@co.uk" })).toBeUndefined();
    expect(() => createVelocity({ registrableDomain: "tldts" as never })).toThrow(
      /`registrableDomain` must be a function/,
    );
  });

  it.each<[string, (index: number) => string]>([
    ["in front", (index) => `ada@shop.example, p${index}@q${index}.example`],
    ["behind", (index) => `p${index}@q${index}.example ada@shop.example`],
    ["within", (index) => `<ada@shop.example>@q${index}.example`],
    ["among three", (index) => `a${index}@b.example;ada@shop.example;c${index}@d.example`],
  ])("count a mailbox %s of a text that names several", (_, email) => {
    const { velocity } = onClock();
    const visits = times(5, (index) => ({ email: email(index), ip: scattered(index) }));
    expect(after(velocity, visits)?.signals).toEqual([{ name: "mailbox", count: 5, weight: 95 }]);
    expect(after(velocity, [{ email: "ada@shop.example" }])?.signals).toMatchObject([{ count: 6 }]);
  });

  it("count texts that name more than three mailboxes together", () => {
    const { velocity } = onClock();
    const many = (index: number) => times(40, (one) => `p${index}-${one}@x.example`).join();
    const visits = times(5, (index) => ({ email: many(index), ip: scattered(index) }));
    expect(after(velocity, visits)?.signals).toEqual([{ name: "mailbox", count: 5, weight: 95 }]);
  });

  it("count those that another site sent apart from others of their network", () => {
    const { velocity } = onClock({ limits: { address: { from: 1, to: 9, weight: 9 } } });
    const visit = (index: number) => ({ email: `p${index}@gmail.com`, ip: "9.9.9.9" });
    const visits = times(9, (index) => ({ ...visit(index), crossSite: true }));
    expect(after(velocity, visits)?.signals[0]).toMatchObject({ name: "address", count: 9 });
    expect(velocity.read(visit(0))).toBeUndefined();
  });

  it.each(["10.0.0.1", "127.0.0.1", "::1", "fe80::1", "not an address", "", null, undefined])(
    "count nothing by the address %s",
    (ip) => {
      const { velocity } = onClock({ limits: { address: { from: 1, to: 2 } } });
      const visits = times(9, (index) => ({ email: `p${index}@gmail.com`, ip }));
      expect(after(velocity, visits)).toBeUndefined();
    },
  );

  it("are forgotten as the window slides on", () => {
    const { velocity, clock } = onClock();
    const alias = (index: number) => ({ email: `ada+${index}@shop.example`, ip: scattered(index) });
    expect(after(velocity, times(5, alias))?.sharedAdds).toBe(95);
    clock.nowMs += HOUR_MS;
    expect((velocity.read(alias(0)) as VelocityReading).sharedAdds).toBe(95);
    clock.nowMs += HOUR_MS / 2;
    // Half of the hour before still counts: 2.5 of 5.
    expect(velocity.read(alias(0))).toBeUndefined();
    expect(after(velocity, [alias(9)])?.signals).toEqual([
      { name: "mailbox", count: 3, weight: 32 },
    ]);
    clock.nowMs += 2 * HOUR_MS;
    expect(after(velocity, [alias(0)])).toBeUndefined();
  });

  it("switch a subject off with false", () => {
    const { velocity } = onClock({ limits: { mailbox: false } });
    const visits = times(9, (index) => ({ email: `ada+${index}@gmail.com`, ip: scattered(index) }));
    expect(after(velocity, visits)).toBeUndefined();
  });
});

describe("failed logins", () => {
  it("each count, and never refuse an account for what others do", () => {
    const { velocity } = onClock({ counts: "failed_logins" });
    const visits = times(500, (index) => ({ email: "ada@shop.example", ip: scattered(index) }));
    expect(after(velocity, visits)).toEqual({
      adds: 0,
      sharedAdds: 75,
      signals: [
        { name: "mailbox", count: 500, weight: 75 },
        { name: "mailbox_day", count: 500, weight: 75 },
      ],
    });
  });

  it("are suspicious when many come from one address", () => {
    const { velocity } = onClock({ counts: "failed_logins" });
    const visits = times(100, (index) => ({ email: `p${index}@gmail.com`, ip: "9.9.9.9" }));
    expect(after(velocity, visits)?.signals[0]).toEqual({
      name: "address",
      count: 100,
      weight: 95,
    });
    expect(velocity.read({ ip: "9.9.9.9" })).toMatchObject({ adds: 95 });
  });
});

describe("logins that succeed", () => {
  const limits = { address: { from: 1, to: 101, weight: 100 }, mailbox: false } as const;
  const login = (account: number | string) => ({ email: `${account}@shop.example`, ip: "9.9.9.9" });

  it("take the failures of their account at their address back, and count once", () => {
    const { velocity } = onClock({ counts: "failed_logins", limits });
    expect(after(velocity, [login(1), login(2), login(3), login(3)])?.adds).toBe(2);
    void velocity.succeeded!({ ...login(1), ip: "8.8.8.8" });
    expect(velocity.read(login(1))).toMatchObject({ adds: 2 });
    for (const _ of times(50, () => 0)) void velocity.succeeded!(login(1));
    expect(velocity.read(login(1))).toMatchObject({
      signals: [{ name: "address", count: 2, weight: 1 }],
    });
    // An account that fails after its success has failed.
    expect(after(velocity, [login(1)])?.adds).toBe(2);
  });

  it("are a share: failures count only if more than one account in three fails", () => {
    const { velocity } = onClock({ counts: "failed_logins", limits });
    for (const account of times(100, (index) => `right-${index}`)) {
      void velocity.succeeded!(login(account));
    }
    expect(after(velocity, times(50, login))).toBeUndefined();
    expect(after(velocity, [login(50)])?.signals[0]).toMatchObject({ name: "address", count: 51 });
  });

  it("are taken back in the earlier part of the window as well", () => {
    const { velocity, clock } = onClock({ counts: "failed_logins", limits });
    after(velocity, times(10, login));
    clock.nowMs += HOUR_MS;
    for (const account of times(8, (index) => index)) void velocity.succeeded!(login(account));
    expect(velocity.read(login(0))).toBeUndefined();
    for (const account of times(8, (index) => index)) void velocity.count(login(account));
    expect(velocity.read(login(0))).toMatchObject({ signals: [{ count: 10 }] });
  });

  it("without an account count nothing, and each failure without one counts", () => {
    const { velocity } = onClock({ counts: "failed_logins", limits });
    const hostile = { email: "k".repeat(2_000), ip: "9.9.9.9" };
    expect(after(velocity, [...times(3, () => hostile), { ip: "9.9.9.9" }])?.adds).toBe(3);
    void velocity.succeeded!(hostile);
    expect(velocity.read(hostile)).toMatchObject({ adds: 3 });
  });

  it("count a failure for each mailbox that its text may name, and a success for none of several", () => {
    const shared = { address: limits.address, mailbox: { from: 1, to: 101, weight: 100 } };
    const { velocity } = onClock({ counts: "failed_logins", limits: shared });
    const several = (index: number) => ({
      email: `ada@shop.example, p${index}@q.example`,
      ip: "9.9.9.9",
    });
    expect(after(velocity, times(4, several))?.signals).toEqual([
      { name: "mailbox", count: 4, weight: 3 },
      { name: "address", count: 4, weight: 3 },
    ]);
    for (const facts of times(20, several)) void velocity.succeeded!(facts);
    expect(velocity.read({ ip: "9.9.9.9" })).toMatchObject({ adds: 3 });
  });

  it("are not counted where sign-ups are", () => {
    expect(createVelocity()).not.toHaveProperty("succeeded");
  });
});

describe("the store in memory", () => {
  it("keeps no more than `maxEntries` of distinct texts either", () => {
    const store = createMemoryVelocityStore({ maxEntries: 10, now: () => 0 });
    const failure = { counters: ["address"], windowMs: HOUR_MS, adds: true };
    for (let index = 0; index < 1_000; index++) {
      void store.tally({ ...failure, distinct: `account-${index}` });
    }
    // The counter keeps its place; the texts that were dropped would count again.
    expect(store.tally({ ...failure, adds: false })).toEqual([1_000]);
    const takeBack = { ...failure, adds: false, takesBack: true };
    expect(store.tally({ ...takeBack, distinct: "account-0" })).toEqual([1_000]);
    expect(store.tally({ ...takeBack, distinct: "account-999" })).toEqual([999]);
  });

  it("keeps no more than `maxEntries` counters, the newest and those that have counted most", () => {
    const store = createMemoryVelocityStore({ maxEntries: 10, now: () => 0 });
    const flood = { counters: ["flood"], windowMs: HOUR_MS, adds: true };
    for (let index = 0; index < 5; index++) void store.tally(flood);
    for (let index = 0; index < 100; index++) {
      void store.tally({ counters: [`name-${index}`], windowMs: HOUR_MS, adds: true });
    }
    const counters = ["name-99", "name-91", "name-90", "name-0", "flood"];
    expect(store.tally({ counters, windowMs: HOUR_MS, adds: false })).toEqual([1, 1, 0, 0, 5]);
  });
});

describe("a store that fails", () => {
  const answers: [what: string, tally: VelocityStore["tally"]][] = [
    [
      "throws",
      () => {
        throw new Error("gone");
      },
    ],
    ["rejects", async () => Promise.reject(new Error("gone"))],
    ["answers too few counts", () => []],
    ["answers text", () => ["1", "1", "1"] as unknown as number[]],
    ["answers below 0", () => [-1, -1, -1]],
    ["answers no number", () => [Number.NaN, 1, 1]],
    ["answers nothing", () => undefined as unknown as number[]],
  ];
  it.each(answers)("%s: the error says so", async (_, tally) => {
    const velocity = createVelocity({ store: { tally } });
    const counting = (async () => velocity.count({ email: "ada@gmail.com", ip: "9.9.9.9" }))();
    await expect(counting).rejects.toMatchObject({ code: "STORE_FAILED" });
    const logins = createVelocity({ counts: "failed_logins", store: { tally } });
    const login = { email: "ada@gmail.com", ip: "9.9.9.9" };
    for (const call of ["count", "succeeded"] as const) {
      const counted = (async () => logins[call]!(login))();
      await expect(counted).rejects.toMatchObject({ code: "STORE_FAILED" });
    }
  });
});

describe("what a process has counted itself", () => {
  it("is kept beside a store that others share, and read at once", async () => {
    let isGone = true;
    const shared = createMemoryVelocityStore();
    const store: VelocityStore = {
      tally: async (tally) => (isGone ? Promise.reject(new Error("gone")) : shared.tally(tally)),
    };
    const velocity = createVelocity({ store });
    const visit = (n: number) => ({ email: `eve+${n}@gmail.com`, ip: "9.9.9.9" });
    for (let n = 1; n <= 3; n++)
      await expect(velocity.count(visit(n))).rejects.toThrow("velocity failed");
    expect(velocity.readAlone?.(visit(4))?.signals).toMatchObject([{ name: "mailbox", count: 3 }]);
    isGone = false;
    expect(await velocity.count(visit(4))).toBeUndefined();
    expect(velocity.readAlone?.(visit(5))?.signals).toMatchObject([{ name: "mailbox", count: 4 }]);
    // The same from the same network is the same sign-up.
    await velocity.count(visit(4));
    expect(velocity.readAlone?.(visit(5))?.signals).toMatchObject([{ name: "mailbox", count: 4 }]);
  });

  it("covers logins: their failures, and the successes that take them back", async () => {
    const store: VelocityStore = { tally: async () => Promise.reject(new Error("gone")) };
    const velocity = createVelocity({ counts: "failed_logins", store });
    const login = (n: number) => ({ email: `user${n}@gmail.com`, ip: "9.9.9.9" });
    for (let n = 0; n < 17; n++) await expect(velocity.count(login(n))).rejects.toThrow("failed");
    expect(velocity.readAlone?.(login(0))?.signals).toMatchObject([{ name: "address", count: 17 }]);
    await expect(velocity.succeeded?.(login(0))).rejects.toThrow("failed");
    expect(velocity.readAlone?.(login(0))?.signals).toMatchObject([{ name: "address", count: 16 }]);
  });

  it("is all there is where the store is in memory", () => {
    expect(createVelocity()).not.toHaveProperty("readAlone");
    expect(createVelocity({ store: createMemoryVelocityStore() })).not.toHaveProperty("readAlone");
  });
});

it.each<[string, object]>([
  ["an event that is not known", { counts: "orders" }],
  ["a store without `tally`", { store: {} }],
  ["a window below a second", { windowMs: 10 }],
  ["a subject that is not known", { limits: { city: { from: 1, to: 2, weight: 3 } } }],
  ["limits in the wrong order", { limits: { mailbox: { from: 5, to: 5 } } }],
  ["a weight above 100", { limits: { mailbox: { weight: 101 } } }],
  [
    "half a limit that has no default",
    { counts: "failed_logins", limits: { domain: { from: 5 } } },
  ],
  ["a provider that is no domain", { largeProviders: ["a b"] }],
  ["an option that is not known", { window: 1 }],
])("refuses %s", (_, options) => {
  expect(() => createVelocity(options as VelocityOptions)).toThrow(RiskGateError);
});
