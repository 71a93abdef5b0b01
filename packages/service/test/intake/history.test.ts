import { describe, expect, it } from "vitest";
import { createHistory } from "../../src/intake/history.js";
import { MINUTE, openIntake, type OpenIntake, SECOND } from "../support/open-intake.js";

const event = (id: string, kind: string, email: string, ip: string) => ({
  event_id: id,
  event_kind: kind,
  application_account_account_keys: [{ name: "email", value: email }],
  ips: [ip],
});

const historyOf = ({ storage, clock }: OpenIntake) =>
  createHistory({ storage, providerRules: true, clock: () => clock.now });

async function incidentOf({ storage }: OpenIntake, genre: string): Promise<string> {
  const found = await storage.incidents.list();
  return found.find((one) => one.genre === genre)!.id;
}

describe("the history of an incident", () => {
  it("has the events of its account, whatever the spelling, and no others", async () => {
    const room = await openIntake();
    const { intake, applicationId, clock } = room;
    const report = (...events: object[]) => intake.report(applicationId, events);
    await report(event("before", "auth_bruteforce", "bob@x.y", "192.0.2.1"));
    clock.now += SECOND;
    for (const [index, email] of ["ada@gmail.com", "a.da@gmail.com", "ADA@gmail.com"].entries()) {
      await report(event(`e${index}`, "auth_bruteforce", email, `192.0.2.${7 + (index % 2)}`));
      await report(event(`x${index}`, "xss", email, "192.0.2.99"));
    }
    const history = await historyOf(room).incident(await incidentOf(room, "account_takeover"));
    expect(history?.events.map(({ id }) => id)).toContain("e2");
    expect(history?.events.map(({ kind }) => kind)).not.toContain("xss");
    expect(history?.addresses).toContainEqual({ name: "192.0.2.7", events: 2 });
    expect(history?.addresses).not.toContainEqual(expect.objectContaining({ name: "192.0.2.99" }));
    expect(history?.isPartial).toBe(false);
    expect(await historyOf(room).incident("nothing")).toBeUndefined();
  });

  it("ends with the incident", async () => {
    const room = await openIntake();
    const { intake, applicationId, clock } = room;
    const attack = () =>
      intake.report(applicationId, [
        { ...event(`e${clock.now}`, "sql_injection", "ada@x.y", "192.0.2.7") },
      ]);
    for (let index = 0; index < 10; index++) {
      await attack();
      clock.now += SECOND;
    }
    const id = await incidentOf(room, "injection_sql");
    clock.now += 60 * MINUTE;
    await intake.sweep();
    const before = await historyOf(room).incident(id);
    expect(before?.incident.endedAt).not.toBeNull();
    await attack();
    const after = await historyOf(room).incident(id);
    expect(after?.events).toEqual(before?.events);
    expect(after?.events.length).toBeGreaterThan(0);
  });

  it("has the responses that name one of its addresses or accounts", async () => {
    const room = await openIntake();
    const { intake, applicationId, storage } = room;
    await storage.playbooks.create(applicationId, {
      name: "Block",
      rule: { kinds: ["auth_bruteforce"], count: 3 },
      response: {},
    });
    for (const [account, ip] of [
      ["ada@x.y", "192.0.2.7"],
      ["bob@x.y", "2001:db8::7"],
    ] as const) {
      for (let index = 0; index < 3; index++) {
        await intake.report(applicationId, [
          event(`${account} ${index}`.replace(" ", "-"), "auth_bruteforce", account, ip),
        ]);
      }
    }
    const found = await storage.incidents.list({ genre: "account_takeover" });
    const histories = await Promise.all(found.map(({ id }) => historyOf(room).incident(id)));
    const targets = histories.map((one) =>
      one?.responses.map(({ payload }) => JSON.stringify(payload["properties"])),
    );
    expect(targets).toEqual([
      [expect.stringContaining("2001:db8::/64")],
      [expect.stringContaining("192.0.2.7/32")],
    ]);
  });

  it("has nothing but the incident where it was made from counters", async () => {
    const room = await openIntake({ rules: { peaks: { warmUpMinutes: 1, historyMinutes: 10 } } });
    const { intake, applicationId, clock } = room;
    for (let minute = 0; minute < 4; minute++) {
      await intake.counters(applicationId, { http5xx: minute < 3 ? 1 : 100_000 });
      clock.now += MINUTE;
    }
    const [incident] = await room.storage.incidents.list();
    const history = await historyOf(room).incident(incident?.id ?? "");
    expect(history).toMatchObject({ events: [], addresses: [], accounts: [], responses: [] });
  });
});

describe("the history of an event", () => {
  it("has its incidents and the responses to it, for each application with that id", async () => {
    const room = await openIntake();
    const { intake, applicationId, storage } = room;
    const other = await storage.applications.create({ name: "Other" });
    await storage.playbooks.create(applicationId, {
      name: "Block",
      rule: { kinds: ["auth_bruteforce"] },
      response: {},
    });
    const one = event("one", "auth_bruteforce_success", "ada@x.y", "192.0.2.7");
    await intake.report(applicationId, [
      one,
      event("two", "auth_bruteforce", "ada@x.y", "192.0.2.7"),
    ]);
    await intake.report(other.id, [one]);
    const found = await historyOf(room).events("one");
    expect(found.map(({ event: { applicationId: id } }) => id)).toEqual([other.id, applicationId]);
    expect(found.at(1)).toMatchObject({
      incidents: [{ genre: "account_takeover_success", applicationId }],
      responses: [{ applicationId }],
    });
    expect(found.at(0)?.responses).toEqual([]);
    expect(await historyOf(room).events("nothing")).toEqual([]);
  });

  it("is the event alone once it was erased", async () => {
    const room = await openIntake();
    const { intake, applicationId, storage } = room;
    await intake.report(applicationId, [event("one", "xss", "ada@x.y", "192.0.2.7")]);
    await storage.erase({ type: "account", subject: "ada@x.y" });
    const [found] = await historyOf(room).events("one");
    expect(found).toMatchObject({ event: { id: "one", payload: {} }, responses: [] });
  });
});
