import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../src/model/event.js";
import type { StoredIncident } from "../../src/model/incident.js";
import type { LedgerRecord, Subject } from "../../src/model/subject.js";
import { entryOfStored, ledgerAbout, storeEvents } from "../support/stored-events.js";
import { makeDelivery, temporaryStorage } from "../support/temporary-storage.js";

const NOW = 1_700_000_000_000_000;

function event(id: string, payload: object = {}): StoredEvent {
  const members = { kind: "xss", category: "injection", occurredAt: NOW, highRisk: true };
  return { id, ...members, payload: payload as StoredEvent["payload"] };
}

const ip = (subject: string): Subject => ({ type: "ip", subject });
const account = (subject: string): Subject => ({ type: "account", subject });

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

/** A storage with two applications. */
async function openStores() {
  const { storage, clock } = await temporaryStorage();
  const { id: app } = await storage.applications.create({ name: "shop" });
  const { id: other } = await storage.applications.create({ name: "other" });
  const added = async (id: string, events: readonly StoredEvent[]) =>
    (await storeEvents(storage, id, events)).map((seq) => seq !== undefined);
  return { storage, clock, app, other, added };
}

describe("events", () => {
  it("are kept once by application and id", async () => {
    const { storage, app, other, added } = await openStores();
    const payload = { event_id: "b", text: "nul \0, pair \u{1f512}" };
    expect(await added(app, [event("a"), event("b", payload)])).toEqual([true, true]);
    expect(await added(app, [event("b"), event("c"), event("c")])).toEqual([false, true, false]);
    expect(await added(other, [event("a")])).toEqual([true]);
    expect(await added(app, [])).toEqual([]);

    const list = await storage.events.list({ applicationId: app });
    expect(list.map(({ id }) => id)).toEqual(["c", "b", "a"]);
    expect(list[1]).toMatchObject({
      applicationId: app,
      receivedAt: NOW,
      ...event("b", payload),
    });
    expect(await storage.events.list({ kind: "lfi" })).toEqual([]);
    expect(await storage.events.list({ since: NOW + 1 })).toEqual([]);
  });

  it("take any text for an id, a kind and a category", async () => {
    const { app, added } = await openStores();
    const texts = ["\0", "a\0b", "b\ud800", "'; drop table events; --", "\u{1f512}"];
    const events = texts.map((id) => ({ ...event(id), kind: id, category: id }));
    expect(await added(app, events)).toEqual(texts.map(() => true));
    expect(await added(app, events)).toEqual(texts.map(() => false));
  });
});

describe("ledger", () => {
  const record = (subject: Subject, seq: number, more: Partial<LedgerRecord> = {}) => ({
    ...subject,
    seq,
    occurredAt: NOW + seq,
    highRisk: true,
    ...more,
  });

  it("returns the newest 1,000 entries of a subject in order, and names notices", async () => {
    const { storage, app } = await openStores();
    const entries = Array.from({ length: 2_001 }, (_, n) =>
      record(ip("192.0.2.1"), n + 1, n % 2 === 0 ? { highRisk: false, isNotice: true } : {}),
    );
    await storage.ledger.record(app, [...entries, record(ip("192.0.2.2"), 9_999)]);
    await storage.ledger.record(app, entries.slice(0, 9));
    const read = (key: string) => storage.ledger.historiesOf([{ type: "ip", key, reader: app }]);
    expect(await read("192.0.2.1")).toEqual([entries.slice(-1_000)]);
    expect(await read("192.0.2.3")).toEqual([[]]);
  });

  it("finds every spelling of a mailbox and every address of an IPv6 network", async () => {
    const { storage, app } = await openStores();
    const subjects = [account("E.v.e+1@gmail.com"), account("eve@gmail.com"), ip("2001:db8::7")];
    await storage.ledger.record(
      app,
      subjects.map((subject, index) => record(subject, index + 1)),
    );
    const [mailbox, network] = await storage.ledger.historiesOf([
      { type: "account", key: "eve@gmail.com", reader: "" },
      { type: "ip", key: "2001:db8::/64", reader: "" },
    ]);
    expect(mailbox?.map(({ subject }) => subject)).toEqual(["E.v.e+1@gmail.com", "eve@gmail.com"]);
    expect(network?.map(({ subject }) => subject)).toEqual(["2001:db8::7"]);
  });

  it("shows an application its own entries, and those that others share", async () => {
    const { storage, app, other } = await openStores();
    const { id: sharing } = await storage.applications.create({ name: "s", sharesReports: true });
    for (const [index, id] of [app, other, sharing].entries()) {
      await storage.ledger.record(id, [record(ip("192.0.2.1"), index + 1)]);
    }
    const readers = [app, other, sharing, ""].map((reader) => {
      return { type: "ip", key: "192.0.2.1", reader } as const;
    });
    const histories = await storage.ledger.historiesOf(readers);
    expect(histories.map((one) => one.map(({ seq }) => seq))).toEqual([
      [1, 3],
      [2, 3],
      [3],
      [1, 2, 3],
    ]);
  });

  it("lists the entries of one subject with their events, newest first", async () => {
    const { storage, app } = await openStores();
    const about = [ip("192.0.2.1"), account("a@x.y")];
    await storeEvents(storage, app, [
      { ...event("1"), about },
      { ...event("2"), about: [ip("192.0.2.1")] },
    ]);
    const found = await storage.ledger.entriesOf(ip("192.0.2.1"), 9);
    expect(found.map(({ eventId, kind }) => [eventId, kind])).toEqual([
      ["2", "xss"],
      ["1", "xss"],
    ]);
  });
});

describe("events on record", () => {
  const kinds = ["xss", "lfi", "xss", "scan"];

  async function fourEvents() {
    const { storage, app, other } = await openStores();
    for (const [index, kind] of kinds.entries()) {
      const about = [ip(index < 2 ? "192.0.2.1" : "192.0.2.2"), account("a@x.y")];
      const occurredAt = NOW + index;
      await storeEvents(storage, app, [{ ...event(`e${index}`), kind, occurredAt, about }]);
    }
    const { events } = storage;
    const listed = async (filter: Parameters<typeof events.list>[0]) =>
      (await events.list(filter)).map(({ id }) => id).join(" ");
    return { storage, events, listed, app, other };
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
    const { storage, events, app, other } = await fourEvents();
    await storeEvents(storage, other, [event("e1")]);
    const found = await events.find("e1");
    expect(found.map(({ applicationId }) => applicationId)).toEqual([other, app]);
    expect(await events.find("none")).toEqual([]);
  });
});

describe("incidents", () => {
  it("are found while they go on, by application", async () => {
    const { storage } = await temporaryStorage();
    const { incidents } = storage;
    const open = incident("1", { subject: "a@x.y", state: { addresses: ["192.0.2.1"] } });
    await incidents.save([open]);
    const openOf = (applicationId: string) => incidents.list({ applicationId, open: true });
    expect(await openOf("app")).toEqual([{ ...open, seq: 1 }]);
    expect(await openOf("other")).toEqual([]);
    expect(await incidents.applicationsWithOpen()).toEqual(["app"]);

    const grown = { ...open, updatedAt: NOW + 5, payload: { incidents_count: 2 } };
    await incidents.save([grown]);
    expect(await incidents.get("1")).toEqual({ ...grown, seq: 1 });
    expect(await incidents.list({ open: true, updatedBefore: NOW + 5 })).toEqual([]);
    expect(await incidents.list({ open: true, updatedBefore: NOW + 6 })).toMatchObject([grown]);

    await incidents.save([{ ...grown, endedAt: NOW + 9 }]);
    expect(await openOf("app")).toEqual([]);
    expect(await incidents.applicationsWithOpen()).toEqual([]);
    expect(await incidents.list({ open: false, applicationId: "app" })).toHaveLength(1);
  });

  it("are listed by genre and page, counted, and found by a moment", async () => {
    const { storage } = await temporaryStorage();
    const { incidents } = storage;
    await incidents.save([incident("1", { endedAt: NOW + 10 })]);
    await incidents.save([incident("2", { startedAt: NOW + 20 })]);
    await incidents.save([incident("3", { genre: "injection_sql" })]);
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
  const from = (ip: string) => ({ ips: [{ address: ip }], humanized_description: `from ${ip}.` });
  const attempt = { startedAt: 1, durationMs: 1, status: 200, error: null };
  const end = { attempt: { ...attempt, location: null, excerpt: null } };

  it("forgets a subject and leaves its neighbours alone", async () => {
    const { storage, app, added } = await openStores();
    const [first = 0] = await storeEvents(storage, app, [
      { ...event("1", from("1.2.3.4")), about: [ip("1.2.3.4")] },
      { ...event("2", from("1.2.3.45")), about: [ip("1.2.3.45")] },
    ]);
    const net = { type: "net", subject: "1.2.3.0/24" } as const;
    await storage.ledger.record(app, [{ ...net, seq: first, occurredAt: NOW, highRisk: true }]);
    const ended = { endedAt: NOW };
    await storage.incidents.save([
      incident("1", { ...ended, payload: { humanized_title: "by 1.2.3.4" } }),
      incident("2", { ...ended, payload: from("11.2.3.4") }),
    ]);
    const made = [];
    for (const address of ["1.2.3.4", "1.2.3.45", "1.2.3.4"]) {
      const body = Buffer.from(JSON.stringify([from(address)]));
      made.push(await makeDelivery(storage, app, body));
    }
    for (const delivery of made.slice(0, 2)) {
      await storage.deliveries.recordAttempts([
        { delivery, ...end, result: { state: "delivered" } },
      ]);
    }

    expect(await storage.erase(ip("1.2.3.4"))).toEqual({
      ledgerEntries: 1,
      events: 1,
      incidents: 1,
      responses: 0,
      deliveries: 1,
      labels: 0,
      pending: 1,
    });
    expect(await ledgerAbout(storage, ip("1.2.3.4"))).toEqual([]);
    for (const left of [ip("1.2.3.45"), net]) {
      expect(await ledgerAbout(storage, left)).toHaveLength(1);
    }
    expect((await storage.events.list()).map(({ payload }) => payload)).toEqual([
      from("1.2.3.45"),
      {},
    ]);
    expect(await added(app, [event("1", from("1.2.3.4"))])).toEqual([false]);
    expect((await storage.incidents.list()).map((one) => one.id)).toEqual(["2"]);
    const left = (await storage.deliveries.list()).map((one) => one.id);
    expect(left).toEqual([made[2]?.id, made[1]?.id]);
  });

  it("deletes no delivery that leaves out what is between its payloads", async () => {
    const { storage, app } = await openStores();
    const payloads = ["1.2.3.45", "1.2.3.4", "1.2.3.46"].map(from);
    await storage.outbox.add(
      app,
      payloads.map((payload) => ({ type: "pulse", payload })),
    );
    const [one, named, last] = (await storage.outbox.take(app, 9)).entries;
    const made = await storage.deliveries.create(app, [
      {
        body: Buffer.from("[]"),
        seqs: [one?.seq ?? 0, last?.seq ?? 0],
        without: [named?.seq ?? 0],
      },
      { body: Buffer.from("[]"), seqs: [named?.seq ?? 0] },
    ]);
    await storage.outbox.pass(app, 0, last?.seq ?? 0);
    await storage.deliveries.recordAttempts(
      made.map((delivery) => ({ delivery, ...end, result: { state: "delivered" as const } })),
    );
    expect(await storage.erase(ip("1.2.3.4"))).toMatchObject({ deliveries: 1, pending: 0 });
    expect(await storage.deliveries.list()).toMatchObject([{ id: made[0]?.id }]);
    const body = Buffer.from((await storage.deliveries.bodyOf(made[0]?.id ?? "")) ?? []);
    expect(body.toString()).toBe(JSON.stringify([payloads[0], payloads[2]]));
  });

  it("shows no event any more that is still to be delivered, and delivers it", async () => {
    const { storage, clock } = await temporaryStorage();
    const webhookUrl = "https://hooks.example/security";
    const { id: app } = await storage.applications.create({ name: "shop", webhookUrl });
    await storeEvents(storage, app, [{ ...event("1", from("1.2.3.4")), about: [ip("1.2.3.4")] }]);
    expect(await storage.erase(ip("1.2.3.4"))).toMatchObject({ events: 0, pending: 1 });
    expect(await storage.events.list()).toMatchObject([{ id: "1", payload: {} }]);
    expect(await storage.events.find("1")).toMatchObject([{ id: "1", payload: {} }]);
    const [waiting] = (await storage.outbox.take(app, 9)).entries;
    expect(waiting).toMatchObject({ isDamaged: false, queuedAt: clock.now });
    await storage.outbox.pass(app, 0, waiting?.seq ?? 0);
    expect(await storage.erasePending()).toBe(1);
    expect(await storage.events.list()).toMatchObject([{ id: "1", payload: {} }]);
  });

  it("does not wait for what detection has not read, which then finds nothing", async () => {
    const { storage } = await temporaryStorage();
    const webhookUrl = "https://hooks.example/security";
    const { id: app } = await storage.applications.create({ name: "shop", webhookUrl });
    const entries = [entryOfStored(event("1", from("1.2.3.4")))];
    await storage.log.append([{ applicationId: app, entries }]);
    expect(await storage.erase(ip("1.2.3.4"))).toMatchObject({ events: 1, pending: 0 });
    expect(await storage.log.read(app, 0, 9)).toMatchObject([{ eventId: "1", payload: "{}" }]);
    expect((await storage.outbox.take(app, 9)).entries).toMatchObject([{ isDamaged: true }]);
  });
});

describe("erasure of an account", () => {
  it("finds every spelling of its mailbox that is on record, and no other account", async () => {
    const { storage, app } = await openStores();
    const about = (email: string) => ({ humanized_title: `by ${email}` });
    const spellings = [
      "Eve@gmail.com",
      "e.v.e@gmail.com",
      "eve+shop@googlemail.com",
      "eva@gmail.com",
    ];
    for (const [index, email] of spellings.entries()) {
      const id = String(index);
      await storeEvents(storage, app, [{ ...event(id, about(email)), about: [account(email)] }]);
      await storage.incidents.save([incident(id, { endedAt: NOW, payload: about(email) })]);
    }
    const subject = account("eve@gmail.com");
    expect(await storage.erase(subject)).toMatchObject({
      ledgerEntries: 3,
      events: 3,
      incidents: 3,
    });
    expect(await ledgerAbout(storage, subject)).toEqual([]);
    expect(await ledgerAbout(storage, account("eva@gmail.com"))).toHaveLength(1);
    expect(await storage.ledger.spellingsOf(subject)).toEqual([subject]);
  });
});

describe("retention", () => {
  it("forgets what is older and finished", async () => {
    const { storage, clock, app: id } = await openStores();
    for (const n of [1, 2]) {
      const occurredAt = clock.now;
      await storeEvents(storage, id, [{ ...event(String(n)), occurredAt, about: [ip("1.2.3.4")] }]);
      await storage.incidents.save([incident(String(n), { endedAt: n === 1 ? clock.now : null })]);
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
    expect(await storage.prune({ ...limits, deliveriesBefore: NOW + 9_000 })).toBe(5);
    expect(await storage.prune({})).toBe(0);
    expect(await ledgerAbout(storage, ip("1.2.3.4"))).toHaveLength(1);
    expect(await storage.events.list()).toHaveLength(1);
    expect(await storage.incidents.list()).toHaveLength(1);
    expect(await storage.deliveries.counts()).toMatchObject({ pending: 2, delivered: 0 });
  });

  it("goes on beyond one step", async () => {
    const { storage, app } = await openStores();
    const entries = Array.from({ length: 1_200 }, (_, n) => ({
      ...ip("192.0.2.1"),
      seq: n + 1,
      occurredAt: NOW,
      highRisk: true,
    }));
    await storage.ledger.record(app, entries);
    expect(await storage.prune({ ledgerBefore: NOW + 1 })).toBe(1_200);
  });
});
