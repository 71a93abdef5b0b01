import { describe, expect, it } from "vitest";
import { type Json, type ServedApi, serveApi } from "../../support/served-api.js";
import { storeEvents } from "../../support/stored-events.js";
import { makeDelivery } from "../../support/temporary-storage.js";

const MINUTE_MS = 60_000;
const NOON_MS = Date.parse("2026-01-31T12:00:00Z");
const micros = (minute: number): number => (NOON_MS + minute * MINUTE_MS) * 1_000;
const at = (minute: number): string => new Date(NOON_MS + minute * MINUTE_MS).toISOString();

/** Stores an event with its ledger entries, as the intake does. */
async function storeEvent(
  { storage, application }: Pick<ServedApi, "storage" | "application">,
  id: string,
  minute: number,
  subjects: { readonly ip?: string; readonly account?: string; readonly highRisk?: boolean },
): Promise<void> {
  const { ip, account, highRisk = false } = subjects;
  const occurredAt = micros(minute);
  await storeEvents(storage, application.id, [
    {
      id,
      kind: "xss",
      category: "injection",
      occurredAt,
      highRisk,
      payload: {},
      about: [
        ...(ip === undefined ? [] : [{ type: "ip" as const, subject: ip }]),
        ...(account === undefined ? [] : [{ type: "account" as const, subject: account }]),
      ],
    },
  ]);
}

const until = `until=${at(30)}`;

interface Activity {
  readonly stepMs: number;
  readonly steps: readonly {
    at: string;
    events: number;
    highRisk: number;
    openIncidents: number;
  }[];
  readonly addresses: readonly { name: string; events: number; byStep: number[] }[];
  readonly networks: readonly { name: string; events: number; addresses: number }[];
  readonly accounts: readonly { name: string; events: number }[];
}

const activityOf = async ({ admin }: ServedApi, query: string): Promise<Activity> =>
  (await admin("GET", `/activity?${query}`)).body as unknown as Activity;

describe("the activity of a period", () => {
  it("begins with the first event, and counts events by step", async () => {
    const api = await serveApi();
    await storeEvent(api, "a", 0, { highRisk: true });
    await storeEvent(api, "b", 0, {});
    await storeEvent(api, "c", 30, {});
    const { stepMs, steps } = await activityOf(api, until);
    expect(stepMs).toBe(MINUTE_MS);
    expect(steps).toHaveLength(31);
    expect(steps[0]).toMatchObject({ events: 2, highRisk: 1, openIncidents: 0 });
    expect(Date.parse(steps[0]?.at ?? "")).toBe(NOON_MS);
    expect(steps.at(-1)).toMatchObject({ events: 1, highRisk: 0 });
    expect(steps.slice(1, -1).every(({ events }) => events === 0)).toBe(true);

    const later = await activityOf(api, `since=${at(10)}&${until}`);
    expect(later.steps.map(({ events }) => events)).toEqual([1]);
  });

  it("has at most 100 steps, however long the period is", async () => {
    const api = await serveApi();
    await storeEvent(api, "a", 0, {});
    await storeEvent(api, "b", -60 * 24 * 365, {});
    const { steps } = await activityOf(api, until);
    expect(steps.length).toBeGreaterThan(50);
    expect(steps.length).toBeLessThanOrEqual(100);
    expect(steps[0]?.events).toBe(1);
    expect(steps.at(-1)?.events).toBe(1);
  });

  it("names the addresses, accounts and networks with the most events", async () => {
    const api = await serveApi();
    for (const [index, ip] of [
      "203.0.113.7",
      "203.0.113.7",
      "203.0.113.8",
      "2001:db8::1",
    ].entries()) {
      await storeEvent(api, `${index}`, index, { ip, account: `user${index % 2}@shop.example` });
    }
    const { addresses, accounts, networks } = await activityOf(api, `until=${at(3)}`);
    expect(addresses.map(({ name, events }) => [name, events])).toEqual([
      ["203.0.113.7", 2],
      ["2001:db8::1", 1],
      ["203.0.113.8", 1],
    ]);
    expect(addresses[0]?.byStep).toEqual([1, 1, 0, 0]);
    expect(networks).toMatchObject([
      { name: "203.0.113.0/24", events: 3, addresses: 2, byStep: [1, 1, 1, 0] },
      { name: "2001:db8::/64", events: 1, addresses: 1, byStep: [0, 0, 0, 1] },
    ]);
    expect(accounts.map(({ events }) => events)).toEqual([2, 2]);
  });

  it("counts incidents in every step in which they were open", async () => {
    const api = await serveApi();
    for (const [id, start, end] of [
      ["1", 0, 1],
      ["2", 1, null],
    ] as const) {
      await api.storage.incidents.save([
        {
          id,
          applicationId: api.application.id,
          genre: "injection_xss",
          subject: "",
          startedAt: micros(start),
          endedAt: end === null ? null : micros(end),
          updatedAt: micros(start),
          payload: {},
          state: {},
        },
      ]);
    }
    const { steps } = await activityOf(api, `until=${at(3)}`);
    expect(steps.map(({ openIncidents }) => openIncidents)).toEqual([1, 2, 1, 1]);
  });

  it("is that of one application if it is named", async () => {
    const api = await serveApi();
    const other = await api.storage.applications.create({ name: "Other" });
    await storeEvent(api, "a", 0, { ip: "203.0.113.7" });
    await storeEvent({ ...api, application: other }, "b", 0, { ip: "203.0.113.8" });
    const { steps, addresses } = await activityOf(api, `applicationId=${other.id}&until=${at(0)}`);
    expect(steps.map(({ events }) => events)).toEqual([1]);
    expect(addresses.map(({ name }) => name)).toEqual(["203.0.113.8"]);
  });

  it("is empty without events, and refuses an invalid period", async () => {
    const api = await serveApi();
    const { steps, addresses } = await activityOf(api, "");
    expect(steps).toMatchObject([{ events: 0, openIncidents: 0 }]);
    expect(addresses).toEqual([]);
    expect((await api.admin("GET", "/activity?since=junk")).status).toBe(400);
    expect((await api.admin("GET", "/activity?stepMs=1")).status).toBe(400);
  });
});

describe("the search", () => {
  const found = async ({ admin }: ServedApi, text: string): Promise<string[]> => {
    const { body } = await admin("GET", `/search?q=${encodeURIComponent(text)}`);
    return (body["found"] as Json[]).map(({ type, id }) => `${String(type)} ${String(id)}`);
  };

  it("finds records by the start of their id, address or account", async () => {
    const api = await serveApi();
    const { id } = await makeDelivery(api.storage, api.application.id, Buffer.from("[]"));
    await storeEvent(api, "evt_%-1", 0, { ip: "203.0.113.7", account: "ada@shop.example" });
    await storeEvent(api, "evt-2", 0, { ip: "203.0.113.70" });
    expect(await found(api, id.slice(0, 10))).toEqual([`delivery ${id}`]);
    expect(await found(api, "evt")).toEqual(["event evt-2", "event evt_%-1"]);
    // No character of the text has a special meaning.
    expect(await found(api, "evt_%")).toEqual(["event evt_%-1"]);
    expect(await found(api, "evt%")).toEqual([]);
    expect(await found(api, "203.0.113.7")).toEqual([
      "address 203.0.113.7",
      "address 203.0.113.70",
    ]);
    expect(await found(api, "ADA@")).toEqual(["account ada@shop.example"]);
    expect(await found(api, "da@")).toEqual([]);
  });

  it("returns at most five records of each type", async () => {
    const api = await serveApi();
    for (let number = 0; number < 7; number++) await storeEvent(api, `evt-${number}`, 0, {});
    expect(await found(api, "evt")).toHaveLength(5);
  });

  it.each(["", "?q=", "?q=%00", "?q=a&limit=1"])("refuses %s", async (query) => {
    const { admin } = await serveApi();
    expect((await admin("GET", `/search${query}`)).status).toBe(400);
  });
});
