import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../src/model/event.js";
import type { StoredIncident } from "../../src/model/incident.js";
import type { LedgerEntry } from "../../src/model/subject.js";
import type { Storage } from "../../src/storage/storage.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const NOW = 1_700_000_000_000_000;

function event(id: string, payload: object = {}): StoredEvent {
  const members = { kind: "xss", category: "injection", occurredAt: NOW, highRisk: true };
  return { id, ...members, payload: payload as StoredEvent["payload"] };
}

function entry(subject: string, eventId: string, more: Partial<LedgerEntry> = {}): LedgerEntry {
  const base = { applicationId: "app", occurredAt: NOW, highRisk: true };
  return { type: "ip", subject, eventId, ...base, ...more };
}

function incident(id: string, more: Partial<StoredIncident> = {}): StoredIncident {
  return {
    id,
    applicationId: "app",
    genre: "injection_xss",
    subject: "",
    startedAt: NOW,
    endedAt: null,
    updatedAt: NOW,
    payload: {},
    state: {},
    ...more,
  };
}

async function loaded(storage: Storage, since = 0): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const one of storage.ledger.load(since)) entries.push(one);
  return entries;
}

describe("events", () => {
  it("are kept once by application and id", async () => {
    const { storage } = await temporaryStorage();
    const payload = { event_id: "b", text: "nul \0, pair \u{1f512}" };
    expect(await storage.events.insertNew("app", [event("a"), event("b", payload)])).toEqual([
      "a",
      "b",
    ]);
    expect(await storage.events.insertNew("app", [event("b"), event("c"), event("c")])).toEqual([
      "c",
    ]);
    expect(await storage.events.insertNew("other", [event("a")])).toEqual(["a"]);
    expect(await storage.events.insertNew("app", [])).toEqual([]);

    const list = await storage.events.list({ applicationId: "app" });
    expect(list.map(({ id }) => id)).toEqual(["c", "b", "a"]);
    expect(list[1]).toMatchObject({
      applicationId: "app",
      receivedAt: NOW,
      ...event("b", payload),
    });
    expect(await storage.events.list({ kind: "lfi" })).toEqual([]);
    expect(await storage.events.list({ since: NOW + 1 })).toEqual([]);
  });

  it("take any text for an id", async () => {
    const { storage } = await temporaryStorage();
    const ids = ["\0", "a\0b", "b\ud800", "'; drop table events; --", "\u{1f512}"];
    const added = await storage.events.insertNew(
      "app",
      ids.map((id) => event(id)),
    );
    expect(added).toEqual(ids);
    expect(
      await storage.events.insertNew(
        "app",
        ids.map((id) => event(id)),
      ),
    ).toEqual([]);
  });
});

describe("ledger", () => {
  it("is read back in the order of its record, over many pages", async () => {
    const { storage } = await temporaryStorage();
    const entries = Array.from({ length: 12_001 }, (_, n) =>
      entry("192.0.2.1", String(n), { occurredAt: NOW + n, highRisk: n % 2 === 0 }),
    );
    await storage.ledger.record(entries);
    expect(await loaded(storage)).toEqual(entries);
    expect(await loaded(storage, NOW + 12_000)).toEqual(entries.slice(12_000));
  });

  it("lists the entries of one subject, newest first", async () => {
    const { storage } = await temporaryStorage();
    await storage.ledger.record([
      entry("192.0.2.1", "1"),
      entry("192.0.2.1", "2", { occurredAt: NOW + 1 }),
      entry("a@x.y", "1", { type: "account" }),
    ]);
    const subject = { type: "ip", subject: "192.0.2.1" } as const;
    const found = await storage.ledger.entriesOf(subject, 9);
    expect(found.map(({ eventId }) => eventId)).toEqual(["2", "1"]);
  });
});

describe("events on record", () => {
  const kinds = ["xss", "lfi", "xss", "scan"];

  async function fourEvents() {
    const { storage } = await temporaryStorage();
    const { id: app } = await storage.applications.create({ name: "shop" });
    for (const [index, kind] of kinds.entries()) {
      const id = `e${index}`;
      const occurredAt = NOW + index;
      await storage.events.insertNew(app, [{ ...event(id), kind, occurredAt }]);
      await storage.ledger.record([
        entry(index < 2 ? "192.0.2.1" : "192.0.2.2", id, { applicationId: app }),
        entry("a@x.y", id, { applicationId: app, type: "account" }),
      ]);
    }
    const { events } = storage;
    const listed = async (filter: Parameters<typeof events.list>[0]) =>
      (await events.list(filter)).map(({ id }) => id).join(" ");
    return { storage, events, listed, app };
  }

  it("are listed by kinds, time and page", async () => {
    const { listed, events } = await fourEvents();
    expect(await listed({ kinds: ["xss", "scan"] })).toBe("e3 e2 e0");
    expect(await listed({ kinds: [] })).toBe("");
    expect(await listed({ since: NOW + 1, until: NOW + 2 })).toBe("e2 e1");
    const [, second] = await events.list();
    expect(await listed({ beforeSeq: second?.seq ?? 0, limit: 1 })).toBe("e1");
  });

  it("are listed by the address or account that they count for", async () => {
    const { listed, app } = await fourEvents();
    const subject = { type: "ip", subject: "192.0.2.1" } as const;
    expect(await listed({ subject })).toBe("e1 e0");
    expect(await listed({ subject, kind: "xss", applicationId: app })).toBe("e0");
    expect(await listed({ subject: { type: "account", subject: "a@x.y" } })).toBe("e3 e2 e1 e0");
    expect(await listed({ subject: { type: "account", subject: "192.0.2.1" } })).toBe("");
  });

  it("are found by their id, one of each application", async () => {
    const { storage, events, app } = await fourEvents();
    const { id: other } = await storage.applications.create({ name: "other" });
    await events.insertNew(other, [event("e1")]);
    const found = await events.find("e1");
    expect(found.map(({ applicationId }) => applicationId)).toEqual([other, app]);
    expect(await events.find("none")).toEqual([]);
  });
});

describe("incidents", () => {
  it("are found while they go on, by application, genre and subject", async () => {
    const { storage } = await temporaryStorage();
    const { incidents } = storage;
    const open = incident("1", { subject: "a@x.y", state: { addresses: ["192.0.2.1"] } });
    await incidents.save(open);
    expect(await incidents.findOpen("app", "injection_xss", "a@x.y")).toEqual({ ...open, seq: 1 });
    expect(await incidents.findOpen("app", "injection_xss", "")).toBeUndefined();
    expect(await incidents.findOpen("app", "injection_sql", "a@x.y")).toBeUndefined();

    const grown = { ...open, updatedAt: NOW + 5, payload: { incidents_count: 2 } };
    await incidents.save(grown);
    expect(await incidents.get("1")).toEqual({ ...grown, seq: 1 });
    expect(await incidents.list({ open: true, updatedBefore: NOW + 5 })).toEqual([]);
    expect(await incidents.list({ open: true, updatedBefore: NOW + 6 })).toMatchObject([grown]);

    await incidents.save({ ...grown, endedAt: NOW + 9 });
    expect(await incidents.findOpen("app", "injection_xss", "a@x.y")).toBeUndefined();
    expect(await incidents.list({ open: false, applicationId: "app" })).toHaveLength(1);
  });

  it("are listed by genre and page, counted, and found by a moment", async () => {
    const { storage } = await temporaryStorage();
    const { incidents } = storage;
    await incidents.save(incident("1", { endedAt: NOW + 10 }));
    await incidents.save(incident("2", { startedAt: NOW + 20 }));
    await incidents.save(incident("3", { genre: "injection_sql" }));
    const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id).join(" ");
    expect(idsOf(await incidents.list({ genre: "injection_xss" }))).toBe("2 1");
    expect(idsOf(await incidents.list({ beforeSeq: 3, limit: 1 }))).toBe("2");
    expect(await incidents.countOpen()).toBe(2);
    const during = async (at: number) =>
      idsOf(
        await incidents.during({ applicationId: "app", genre: "injection_xss", subject: "", at }),
      );
    expect(await during(NOW + 10)).toBe("1");
    expect(await during(NOW + 15)).toBe("");
    expect(await during(NOW + 20)).toBe("2");
  });
});

describe("playbooks", () => {
  it("are made, changed and removed", async () => {
    const { storage } = await temporaryStorage();
    const { playbooks } = storage;
    const made = await playbooks.create("app", {
      name: "block",
      rule: { kind: "xss", count: 3 },
      response: { durationMs: 60_000 },
    });
    expect(made).toMatchObject({ enabled: true, createdAt: NOW, applicationId: "app" });
    expect(await playbooks.update(made.id, { enabled: false })).toEqual({
      ...made,
      enabled: false,
    });
    expect(await playbooks.update("none", {})).toBeUndefined();
    expect(await playbooks.list("other")).toEqual([]);
    expect(await playbooks.list("app")).toHaveLength(1);
    expect(await playbooks.delete(made.id)).toBe(true);
    expect(await playbooks.delete(made.id)).toBe(false);
    expect(await playbooks.get(made.id)).toBeUndefined();
  });

  it("list the responses of an application, by time", async () => {
    const { storage } = await temporaryStorage();
    const response = {
      id: "1",
      applicationId: "app",
      playbookId: "p",
      subject: "192.0.2.1",
      createdAt: NOW,
      endsAt: NOW + 10,
      payload: { properties: {} },
    };
    await storage.playbooks.recordResponse(response);
    expect(await storage.playbooks.responses("app", 5)).toEqual([response]);
    const { createdAt: at } = response;
    const sent = (since: number, until: number) =>
      storage.playbooks.responses("app", 5, { since, until });
    expect(await sent(at, at)).toHaveLength(1);
    expect(await sent(at + 1, at + 9)).toEqual([]);
    expect(await sent(0, at - 1)).toEqual([]);
  });
});

describe("erasure", () => {
  it("forgets a subject and leaves its neighbours alone", async () => {
    const { storage } = await temporaryStorage();
    const from = (ip: string) => ({ ips: [{ address: ip }], humanized_description: `from ${ip}.` });
    await storage.events.insertNew("app", [
      event("1", from("1.2.3.4")),
      event("2", from("1.2.3.45")),
    ]);
    await storage.ledger.record([
      entry("1.2.3.4", "1"),
      entry("1.2.3.0/24", "1", { type: "net" }),
      entry("1.2.3.45", "2"),
    ]);
    const ended = { endedAt: NOW };
    await storage.incidents.save(
      incident("1", { ...ended, payload: { humanized_title: "by 1.2.3.4" } }),
    );
    await storage.incidents.save(incident("2", { ...ended, payload: from("11.2.3.4") }));
    const { id } = await storage.applications.create({ name: "shop" });
    const made = await storage.deliveries.create(
      id,
      ["1.2.3.4", "1.2.3.45", "1.2.3.4"].map((ip) => ({
        body: Buffer.from(JSON.stringify([from(ip)])),
        seqs: [],
      })),
    );
    for (const delivery of made.slice(0, 2)) {
      const attempt = { startedAt: 1, durationMs: 1, status: 200 };
      await storage.deliveries.recordAttempts([
        {
          delivery,
          attempt: { ...attempt, error: null, location: null, excerpt: null },
          result: { state: "delivered" },
        },
      ]);
    }

    expect(await storage.erase({ type: "ip", subject: "1.2.3.4" })).toEqual({
      ledgerEntries: 1,
      events: 1,
      incidents: 1,
      responses: 0,
      deliveries: 1,
      pending: 1,
    });
    expect((await loaded(storage)).map(({ subject }) => subject)).toEqual(["1.2.3.45"]);
    expect((await storage.events.list()).map(({ payload }) => payload)).toEqual([
      from("1.2.3.45"),
      {},
    ]);
    expect(await storage.events.insertNew("app", [event("1", from("1.2.3.4"))])).toEqual([]);
    expect((await storage.incidents.list()).map((one) => one.id)).toEqual(["2"]);
    const left = (await storage.deliveries.list()).map((one) => one.id);
    expect(left).toEqual(
      made
        .map((one) => one.id)
        .slice(1)
        .toReversed(),
    );
  });
});

describe("erasure of an account", () => {
  it("finds every spelling of its mailbox that is on record, and no other account", async () => {
    const { storage } = await temporaryStorage();
    const about = (email: string) => ({ humanized_title: `by ${email}` });
    const spellings = [
      "Eve@gmail.com",
      "e.v.e@gmail.com",
      "eve+shop@googlemail.com",
      "eva@gmail.com",
    ];
    for (const [index, email] of spellings.entries()) {
      const id = String(index);
      await storage.events.insertNew("app", [event(id, about(email))]);
      await storage.ledger.record([entry(email, id, { type: "account" })]);
      await storage.incidents.save(incident(id, { endedAt: NOW, payload: about(email) }));
    }
    const subject = { type: "account", subject: "eve@gmail.com" } as const;
    expect(await storage.erase(subject)).toMatchObject({
      ledgerEntries: 3,
      events: 3,
      incidents: 3,
    });
    expect((await loaded(storage)).map((one) => one.subject)).toEqual(["eva@gmail.com"]);
    expect(await storage.ledger.spellingsOf(subject)).toEqual([subject]);
  });
});

describe("retention", () => {
  it("forgets what is older and finished", async () => {
    const { storage, clock } = await temporaryStorage();
    const { id } = await storage.applications.create({ name: "shop" });
    for (const n of [1, 2]) {
      await storage.events.insertNew("app", [event(String(n))]);
      await storage.ledger.record([entry("1.2.3.4", String(n), { occurredAt: clock.now })]);
      await storage.incidents.save(incident(String(n), { endedAt: n === 1 ? clock.now : null }));
      await storage.deliveries.create(id, [{ body: Buffer.from("[]"), seqs: [] }]);
      clock.now += 1_000;
    }
    const older = (await storage.deliveries.list()).slice(1);
    const attempt = { startedAt: 1, durationMs: 1, status: 200, error: null };
    await storage.deliveries.recordAttempts(
      older.map((delivery) => ({
        delivery,
        attempt: { ...attempt, location: null, excerpt: null },
        result: { state: "delivered" },
      })),
    );
    await storage.deliveries.create(id, [{ body: Buffer.from("[]"), seqs: [] }]);

    const all = NOW + 1_000;
    const limits = { ledgerBefore: all, eventsBefore: all, incidentsBefore: all };
    expect(await storage.prune({ ...limits, deliveriesBefore: NOW + 9_000 })).toBe(4);
    expect(await storage.prune({})).toBe(0);
    expect(await loaded(storage)).toHaveLength(1);
    expect(await storage.events.list()).toHaveLength(1);
    expect(await storage.incidents.list()).toHaveLength(1);
    expect(await storage.deliveries.counts()).toMatchObject({ pending: 2, delivered: 0 });
  });

  it("goes on beyond one step", async () => {
    const { storage } = await temporaryStorage();
    await storage.ledger.record(Array.from({ length: 1_200 }, (_, n) => entry("x", String(n))));
    expect(await storage.prune({ ledgerBefore: NOW + 1 })).toBe(1_200);
  });
});
