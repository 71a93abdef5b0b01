import { EVENT_KINDS } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import type { Storage } from "../../src/storage/storage.js";
import { storeError } from "../../src/storage/store-error.js";
import { openIntake } from "../support/open-intake.js";

const injection = {
  event_id: "e1",
  event_kind: "sql_injection",
  date_occurred: "2025-12-31T23:59:59.123456+00:00",
  application_account_account_keys: [{ name: "email", value: "mallory@shop.example" }],
  ips: [{ address: "8.8.8.8" }],
  user_agent: "sqlmap/1.8",
};

describe("createIntake", () => {
  it("counts an event once for a mailbox that it names in two spellings", async () => {
    const { intake, engine, applicationId } = await openIntake();
    const keys = [
      { name: "email", value: "eve@x.com" },
      { name: "login", value: "Eve+1@X.com" },
    ];
    await intake.report(applicationId, [
      { event_kind: "sql_injection", ips: ["8.8.8.8"], application_account_account_keys: keys },
    ]);
    expect(await engine.lookupEmail("eve@x.com")).toMatchObject({ security_events_count: 1 });
  });

  it("stores, counts, groups and queues a security event", async () => {
    const { intake, applicationId, engine, payloads, queued, storage } = await openIntake();
    const report = await intake.report(applicationId, [injection]);
    expect(report).toEqual({
      accepted: 1,
      duplicates: 0,
      refused: 0,
      elements: [{ state: "accepted", id: "e1" }],
      events: [{ id: "e1", kind: "sql_injection" }],
    });
    expect(new Set(queued)).toEqual(new Set([applicationId]));

    const { events, incidents, responses } = await payloads();
    expect(events).toEqual([
      {
        service_payload_type: "security_event",
        application_account_account_keys: [{ name: "email", value: "mallory@shop.example" }],
        application_id: applicationId,
        application_name: "Shop",
        environment: "production",
        date_occurred: "2025-12-31T23:59:59.123456+00:00",
        event_category: "injection",
        event_id: "e1",
        event_kind: "sql_injection",
        event_url: "https://dashboard.example/events/e1",
        id: "e1",
        url: "https://dashboard.example/events/e1",
        risk: 25,
        humanized_description: "SQL injection attempt from 8.8.8.8",
        ips: [
          {
            address: "8.8.8.8",
            date_resolved: "2025-12-31T23:59:59.123456+00:00",
            geo: {},
            is_tor: false,
          },
        ],
        user_agent: "sqlmap/1.8",
      },
    ]);
    expect(incidents).toEqual([
      {
        service_payload_type: "pulse",
        pulse_genre: "injection_sql",
        pulse_category: "Security events",
        date_started: "2025-12-31T23:59:59.123456+00:00",
        date_ended: null,
        humanized_title: "SQL injection detected",
        humanized_accounts: "mallory@shop.example",
        humanized_geos: "",
        blocked: false,
        application_id: applicationId,
        application_name: "Shop",
        environment: "production",
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        url: `https://dashboard.example/incidents/${incidents[0]?.id}`,
        incidents_count: 1,
        user_agents_count: 1,
        ip_addresses_count: 1,
        accounts_count: 1,
      },
    ]);
    expect(responses).toEqual([]);

    const history = {
      is_known_attacker: true,
      security_events_count: 1,
      high_risk_security_events_count: 1,
    };
    expect(await engine.lookupIp("8.8.8.8")).toMatchObject(history);
    expect(await engine.lookupEmail("mallory@shop.example")).toMatchObject(history);
    const recorded = await storage.events.list({ applicationId });
    expect(recorded).toMatchObject([{ id: "e1", kind: "sql_injection", highRisk: true }]);
  });
});

describe("intake.report", () => {
  it("counts an event once, however often it is reported", async () => {
    const { intake, applicationId, engine, payloads } = await openIntake();
    const other = { ...injection, ips: ["1.1.1.1"] };
    const first = await intake.report(applicationId, [injection, other, { event_kind: "xss" }]);
    expect(first.elements.map(({ state }) => state)).toEqual(["accepted", "duplicate", "accepted"]);
    const second = await intake.report(applicationId, [other]);
    expect([second.accepted, second.duplicates, second.events]).toEqual([0, 1, []]);
    expect((await payloads()).events).toHaveLength(2);
    expect((await engine.lookupIp("8.8.8.8")).security_events_count).toBe(1);
    expect((await engine.lookupIp("1.1.1.1")).security_events_count).toBe(0);
  });

  it("takes the same id from two applications", async () => {
    const { intake, applicationId, storage } = await openIntake();
    const other = await storage.applications.create({ name: "Other" });
    expect((await intake.report(applicationId, [injection])).accepted).toBe(1);
    expect((await intake.report(other.id, [injection])).accepted).toBe(1);
  });

  it("R9 refuses each unusable event on its own", async () => {
    const { intake, applicationId } = await openIntake();
    const report = await intake.report(applicationId, [null, injection, { event_kind: "<b>" }]);
    expect([report.accepted, report.refused]).toEqual([1, 2]);
    expect(report.elements[0]).toEqual({ state: "refused", reason: "the event must be an object" });
  });

  it("takes a kind that nobody has named, and points it out", async () => {
    const { intake, applicationId, payloads } = await openIntake();
    const report = await intake.report(applicationId, [
      { event_kind: "waf", event_category: "firewall", ips: ["8.8.8.8"] },
      { event_kind: "x s s" },
      { event_kind: "test_kind" },
    ]);
    expect(report.elements.map((one) => "isUnknownKind" in one)).toEqual([true, false, true]);
    expect((await payloads()).events).toMatchObject([
      {
        event_kind: "waf",
        event_category: "firewall",
        humanized_description: "Security event from 8.8.8.8",
      },
      { event_kind: "xss", event_category: "injection" },
      { event_kind: "test_kind", event_category: "unknown" },
    ]);
  });

  it.each([
    ["the address", { ips: ["8.8.8.8"] }, "8.8.8.8"],
    ["the application", {}, "Shop"],
  ])("names %s as the source of a vulnerable package", async (_, members, source) => {
    const { intake, applicationId, payloads } = await openIntake();
    await intake.report(applicationId, [{ event_kind: "package_vulnerable", ...members }]);
    expect((await payloads()).events).toMatchObject([
      { humanized_description: `Vulnerable package detected in ${source}` },
    ]);
  });

  it.each([
    ["no array", {}],
    ["1,001 events", Array.from({ length: 1001 }, () => injection)],
  ])("refuses %s as a whole", async (_, events) => {
    const { intake, applicationId, storage } = await openIntake();
    await expect(intake.report(applicationId, events)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(await storage.events.list()).toEqual([]);
  });

  it("refuses an application that there is not", async () => {
    const { intake } = await openIntake();
    await expect(intake.report("0".repeat(24), [injection])).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("takes 1,000 events of every kind at once", async () => {
    const { intake, applicationId, payloads } = await openIntake();
    const events = Array.from({ length: 1000 }, (_, n) => ({
      event_kind: EVENT_KINDS[n % EVENT_KINDS.length],
      ips: [`8.8.${n >> 8}.${n & 255}`],
    }));
    expect((await intake.report(applicationId, events)).accepted).toBe(1000);
    const queued = (await payloads()).events;
    expect(queued.map(({ event_kind }) => event_kind)).toEqual(
      events.map(({ event_kind }) => event_kind),
    );
    expect(new Set(queued.map(({ event_id }) => event_id)).size).toBe(1000);
  });

  it.each([
    ["DSP-21 kinds that are not enabled", { eventKinds: ["xss"] }, [0, 1]],
    ["types that are not enabled", { payloadTypes: ["pulse"] as const }, [0, 1]],
    ["incidents that are not enabled", { payloadTypes: ["security_event"] as const }, [1, 0]],
    ["an application without an endpoint", { webhookUrl: null }, [0, 0]],
  ])("queues nothing for %s", async (_, settings, expected) => {
    const { intake, applicationId, payloads, storage } = await openIntake({}, settings);
    await intake.report(applicationId, [injection]);
    const { events, incidents } = await payloads();
    expect([events.length, incidents.length]).toEqual(expected);
    expect(await storage.events.list({ applicationId })).toHaveLength(1);
  });

  it("counts the victim of an attack as no attacker", async () => {
    const { intake, applicationId, engine, storage } = await openIntake();
    const keys = [
      { name: "login", value: "ada" },
      { name: "email", value: "ada@SHOP.example" },
    ];
    const event = { event_kind: "auth_bruteforce", application_account_account_keys: keys };
    await intake.report(applicationId, [{ ...event, ips: ["8.8.8.8", "::ffff:8.8.8.8"] }]);
    const counts = { security_events_count: 1 };
    expect(await engine.lookupIp("8.8.8.8")).toMatchObject({ ...counts, is_known_attacker: true });
    for (const account of ["ada", "ada@shop.example"]) {
      const assessment = await engine.lookupEmail(account);
      expect(assessment).toMatchObject({ ...counts, is_known_attacker: false });
    }
    const subjects = [
      { type: "ip", subject: "8.8.8.8" },
      { type: "account", subject: "ada" },
      { type: "account", subject: "ada@shop.example" },
    ] as const;
    const stored = await Promise.all(subjects.map((one) => storage.ledger.entriesOf(one, 9)));
    expect(stored.flat().map(({ type, subject, highRisk }) => [type, subject, highRisk])).toEqual([
      ["ip", "8.8.8.8", true],
      ["account", "ada", false],
      ["account", "ada@shop.example", false],
    ]);
  });

  it("R30 counts nothing and keeps nothing when the storage fails, and then all of it once", async () => {
    const open = await openIntake({
      rules: { logins: { bruteforceFailures: 3, addressFailures: 3 } },
    });
    const { storage, applicationId, engine, queued } = open;
    const full = new Error("database or disk is full");
    let isFull = true;
    const failing: Storage = {
      ...storage,
      log: {
        ...storage.log,
        append: (orders) => (isFull ? Promise.reject(full) : storage.log.append(orders)),
      },
    };
    const intake = open.restart({ storage: failing });
    const outcome = { account: "ada@shop.example", address: "8.8.8.8", success: false };
    await expect(intake.report(applicationId, [injection])).rejects.toBe(full);
    await expect(intake.outcomes(applicationId, [outcome, outcome])).rejects.toBe(full);
    await expect(intake.outcomes(applicationId, [outcome, outcome])).rejects.toBe(full);
    expect((await engine.lookupIp("8.8.8.8")).security_events_count).toBe(0);
    expect(queued).toEqual([]);

    isFull = false;
    expect((await intake.report(applicationId, [injection])).accepted).toBe(1);
    expect((await intake.outcomes(applicationId, [outcome, outcome])).events).toEqual([]);
    expect((await intake.outcomes(applicationId, [outcome])).events).toHaveLength(1);
    expect((await engine.lookupIp("8.8.8.8")).security_events_count).toBe(2);
  });

  it("accepts what is stored although what follows fails, which then follows once", async () => {
    const open = await openIntake({
      rules: { logins: { bruteforceFailures: 3 }, incidents: { accountScoreAbove: 100 } },
    });
    const { storage, applicationId, engine } = open;
    let isFull = true;
    let failures = 0;
    const failing: Storage = {
      ...storage,
      transaction: async (work) =>
        storage.transaction(async (inner) => {
          const result = await work(inner);
          // The last moment at which it can fail: everything has been written.
          if (isFull) throw storeError(new Error(`database or disk is full ${++failures}`));
          return result;
        }),
    };
    const intake = open.restart({ storage: failing });
    const outcome = { account: "ada@shop.example", address: "8.8.8.8", success: false };
    const outcomes = [outcome, outcome, outcome];
    expect((await intake.report(applicationId, [injection], {})).accepted).toBe(1);
    expect((await intake.outcomes(applicationId, outcomes, {})).accepted).toBe(3);
    await expect.poll(() => failures, { timeout: 60_000 }).toBeGreaterThan(1);
    expect((await engine.lookupIp("8.8.8.8")).security_events_count).toBe(0);
    expect(await storage.incidents.list()).toEqual([]);

    isFull = false;
    // Waits for everything before it.
    await intake.outcomes(applicationId, [{ ...outcome, account: "b@x.y" }]);
    const { events, incidents } = await open.payloads();
    expect(events.map((one) => one.event_kind)).toEqual(["sql_injection", "auth_bruteforce"]);
    expect(incidents).toHaveLength(2);
    expect(open.errors).toEqual([]);
    await expect.poll(async () => (await engine.lookupIp("8.8.8.8")).security_events_count).toBe(1);
  });
});
