import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type ServiceOptions } from "../src/index.js";
import { hasPostgres, temporaryDatabase } from "./support/postgres.js";

const TOKEN = "administration-token-1";
const IP = "8.8.8.8";
const EMAIL = "ada@shop.example";

type Place = Pick<ServiceOptions, "dataDir" | "database">;

interface App {
  readonly id: string;
  readonly key: string;
  readonly reportKey: string;
}

/** Members of all answers together. */
interface Body {
  readonly application: { readonly id: string };
  readonly key: string;
  readonly accepted: number;
  readonly security_events_count: number;
  readonly risk_score: number;
  readonly score: number;
  readonly ledger: { readonly events: number; readonly entries: readonly object[] };
}

/** A process of the service. */
async function start(place: Place, options: Partial<ServiceOptions> = {}) {
  const service = await createService({
    adminToken: TOKEN,
    dispatch: false,
    ...place,
    ...options,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await service.close();
    isOpen = false;
  };
  onTestFinished(close);
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const send = async (method: string, path: string, headers: object, body?: unknown) => {
    const response = await fetch((path.startsWith("/admin/") ? adminUrl : url) + path, {
      method,
      headers: {
        ...headers,
        connection: "close",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const admin = (method: string, path: string, body?: unknown) =>
    send(method, `/admin/v1${path}`, { authorization: `Bearer ${TOKEN}` }, body);
  return {
    admin,
    close,
    async create(settings: object): Promise<App> {
      const created = await admin("POST", "/applications", { name: "App", ...settings });
      const { id } = created.body.application;
      const { body } = await admin("POST", `/applications/${id}/keys`, { scope: "report" });
      return { id, key: created.body.key, reportKey: body.key };
    },
    set: (app: App, settings: object) => admin("PATCH", `/applications/${app.id}`, settings),
    /** Reports attacks by an address on an account, with the key of an application. */
    async attack(app: App, count = 5, ip = IP): Promise<void> {
      const event = {
        event_kind: "sql_injection",
        ips: [ip],
        application_account_account_keys: [{ name: "email", value: EMAIL }],
      };
      const events = Array.from({ length: count }, () => event);
      const { body } = await send(
        "POST",
        "/v1/reports/events",
        { "x-api-key": app.reportKey, prefer: "wait=20" },
        events,
      );
      expect(body.accepted).toBe(count);
    },
    /** Events of the address, as an application receives them. */
    async ipEvents(app: App): Promise<number> {
      const { body } = await send("GET", `/v1/ips/${IP}`, { "x-api-key": app.key });
      return body.security_events_count;
    },
    /** Events and scores of the address and the account, as an application receives them. */
    async seenBy(
      app: App,
    ): Promise<readonly [events: number, ipScore: number, emailScore: number]> {
      const headers = { "x-api-key": app.key };
      const ip = await send("GET", `/v1/ips/${IP}`, headers);
      const email = await send("GET", `/v1/emails/${EMAIL}`, headers);
      expect(email.body.security_events_count).toBe(ip.body.security_events_count);
      return [ip.body.security_events_count, ip.body.risk_score, email.body.risk_score];
    },
  };
}

async function newDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-shared-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

const CLEAN = [0, 0, 0];
/** Five attacks by an address. */
const ATTACKED = [5, 80, expect.any(Number)];

describe.each([
  { on: "SQLite", place: async (): Promise<Place> => ({ dataDir: await newDirectory() }) },
  ...(hasPostgres
    ? [
        {
          on: "PostgreSQL",
          place: async (): Promise<Place> => ({ database: await temporaryDatabase() }),
        },
      ]
    : []),
])("reports of an application on $on", ({ place }) => {
  it("stay in a sandbox, whatever others share", async () => {
    const service = await start(await place());
    const sandbox = await service.create({ kind: "sandbox" });
    const sharing = await service.create({ sharesReports: true });
    const other = await service.create({});
    await service.attack(sandbox);
    expect(await service.seenBy(other)).toEqual(CLEAN);
    expect(await service.seenBy(sharing)).toEqual(CLEAN);
    expect(await service.seenBy(sandbox)).toEqual(ATTACKED);
    const refused = await service.set(sandbox, { sharesReports: true });
    expect(refused).toMatchObject({
      status: 400,
      body: { details: expect.stringMatching(/^`sharesReports`: .*sandbox/) },
    });
    expect((await service.set(sharing, { kind: "sandbox" })).status).toBe(400);
    const both = { name: "Both", kind: "sandbox", sharesReports: true };
    expect((await service.admin("POST", "/applications", both)).status).toBe(400);
  });

  it("count for others only while the operator shares them", async () => {
    const service = await start(await place());
    const [one, other] = [await service.create({}), await service.create({})];
    await service.attack(one);
    expect(await service.seenBy(one)).toEqual(ATTACKED);
    expect(await service.seenBy(other)).toEqual(CLEAN);
    await service.set(one, { sharesReports: true });
    expect(await service.seenBy(other)).toEqual(ATTACKED);
    await service.attack(one, 1);
    await service.attack(other, 1);
    // The reports of the other are its own.
    expect((await service.seenBy(other))[0]).toBe(7);
    expect((await service.seenBy(one))[0]).toBe(6);
    // A form that sends all settings changes nothing.
    await service.set(one, { sharesReports: true, kind: "ordinary" });
    expect((await service.seenBy(other))[0]).toBe(7);
    await service.set(one, { sharesReports: false });
    expect((await service.seenBy(other))[0]).toBe(1);
    expect((await service.seenBy(one))[0]).toBe(6);
    await service.set(one, { sharesReports: true });
    await service.set(one, { kind: "sandbox", sharesReports: false });
    expect((await service.seenBy(other))[0]).toBe(1);
  });

  it("survive a restart, and disappear with an erasure or the application", async () => {
    const where = await place();
    const first = await start(where);
    const sharing = await first.create({ sharesReports: true });
    const [one, other] = [await first.create({}), await first.create({})];
    await first.attack(one);
    await first.attack(sharing, 2);
    await first.close();
    const service = await start(where);
    expect((await service.seenBy(one))[0]).toBe(7);
    expect((await service.seenBy(other))[0]).toBe(2);
    await service.admin("DELETE", `/applications/${sharing.id}`);
    expect((await service.seenBy(one))[0]).toBe(5);
    expect(await service.seenBy(other)).toEqual(CLEAN);
    await service.admin("POST", "/erasures", { ip: IP });
    await service.admin("POST", "/erasures", { account: EMAIL });
    expect(await service.seenBy(one)).toEqual(CLEAN);
  });

  it("are explained for an application, or all together", async () => {
    const service = await start(await place());
    const sharing = await service.create({ sharesReports: true });
    const [one, other] = [await service.create({}), await service.create({})];
    await service.attack(one, 3);
    await service.attack(sharing, 1);
    const explained = async (query: string) => {
      const { body } = await service.admin("GET", `/explain/ips/${IP}${query}`);
      return [body.ledger.events, body.ledger.entries.length, body.score];
    };
    for (const [query, events] of [
      ["", 4],
      [`?applicationId=${one.id}`, 4],
      [`?applicationId=${other.id}`, 1],
    ] as const) {
      expect(await explained(query)).toEqual([events, events, expect.any(Number)]);
    }
    const mail = await service.admin("GET", `/explain/emails/${EMAIL}?applicationId=${other.id}`);
    expect(mail.body.ledger).toMatchObject({ events: 1, entries: [{ applicationId: sharing.id }] });
    expect(mail.body.score).toBe((await service.seenBy(other))[2]);
    const unknown = await service.admin("GET", `/explain/ips/${IP}?applicationId=nobody`);
    expect(unknown.status).toBe(400);
  });

  it("cannot evict or hide those of others", async () => {
    const service = await start(await place(), { ledger: { maxEntries: 10 } });
    const sandbox = await service.create({ kind: "sandbox" });
    const sharing = await service.create({ sharesReports: true });
    const one = await service.create({});
    await service.attack(one, 2);
    await service.attack(sharing, 3);
    await service.attack(sandbox, 150);
    for (const app of [sandbox, sharing, one]) {
      for (let n = 0; n < 11; n++) await service.attack(app, 1, `9.9.9.${n}`);
    }
    const explained = await service.admin("GET", `/explain/ips/${IP}?applicationId=${one.id}`);
    expect(explained.body.ledger).toMatchObject({ events: 5 });
    const answers = await Promise.all([1, 2, 3].map(() => service.ipEvents(one)));
    expect(answers).toEqual([5, 5, 5]);
    expect(await service.ipEvents(sharing)).toBe(3);
  });
});

const title = "two processes on one database";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("share and stop sharing together", async () => {
    const place = { database: await temporaryDatabase() };
    const [first, second] = [await start(place), await start(place)];
    const sandbox = await first.create({ kind: "sandbox" });
    const [one, other] = [await first.create({}), await first.create({})];
    await first.attack(one);
    await second.attack(sandbox);
    // Each has counted what the other accepted.
    await expect.poll(() => second.seenBy(one)).toEqual(ATTACKED);
    await expect.poll(() => first.seenBy(sandbox)).toEqual(ATTACKED);
    for (const process of [first, second]) expect(await process.seenBy(other)).toEqual(CLEAN);
    await first.set(one, { sharesReports: true });
    expect(await first.seenBy(other)).toEqual(ATTACKED);
    await expect.poll(() => second.seenBy(other)).toEqual(ATTACKED);
    await second.set(one, { sharesReports: false });
    expect(await second.seenBy(other)).toEqual(CLEAN);
    await expect.poll(() => first.seenBy(other)).toEqual(CLEAN);
    await second.admin("DELETE", `/applications/${one.id}`);
    await expect.poll(() => first.seenBy(sandbox)).toEqual(ATTACKED);
  });
});
