import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type ServiceOptions } from "../../src/index.js";
import { type BreakableLink, breakableLink } from "../../../../tools/test/breakable-link.js";
import { hasPostgres, temporaryDatabase } from "../support/postgres.js";

const TOKEN = "administration-token-1";

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

interface LinkedService {
  readonly link: BreakableLink;
  readonly database: string;
  readonly lookUp: () => Promise<Answer>;
  readonly isReady: () => Promise<Answer>;
  readonly report: () => Promise<Answer>;
  /** Changes a setting of the application. */
  readonly rename: () => Promise<Answer>;
}

/** A service whose way to its database can break, with an application whose key was used once. */
async function linkedService(
  options: Partial<ServiceOptions> = {},
  user = (database: string): string | Promise<string> => database,
): Promise<LinkedService> {
  const database = await temporaryDatabase();
  const link = await breakableLink(await user(database));
  const service = await createService({
    database: link.url,
    adminToken: TOKEN,
    dispatch: false,
    ...options,
  });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  interface Created {
    readonly application: { readonly id: string };
    readonly key: string;
  }
  const create = async (path: string, body: string): Promise<Created> => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, { method: "POST", headers, body });
    return (await response.json()) as Created;
  };
  const { application, key } = await create("/applications", '{"name":"Shop"}');
  const keys = `/applications/${application.id}/keys`;
  const { key: reportKey } = await create(keys, '{"scope":"report"}');
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const startMs = performance.now();
    const response = await fetch(`${path.startsWith("/admin/") ? adminUrl : url}${path}`, init);
    await response.text();
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, retryAfter, ms: performance.now() - startMs };
  };
  const lookUp = (): Promise<Answer> =>
    ask("/v1/ips/198.51.100.7", { headers: { "x-api-key": key } });
  await lookUp();
  return {
    link,
    database,
    lookUp,
    isReady: () => ask("/readyz", {}),
    report: () =>
      ask("/v1/reports/events", {
        method: "POST",
        headers: { "x-api-key": reportKey, "content-type": "application/json" },
        body: '[{"event_kind":"xss","ips":["198.51.100.7"]}]',
      }),
    rename: () =>
      ask(`/admin/v1/applications/${application.id}`, {
        method: "PATCH",
        headers,
        body: '{"name":"Mall"}',
      }),
  };
}

/** Lets connections only read or write as well, and ends those that there are when they may only read. */
async function allowOnlyReading(database: string, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query("set default_transaction_read_only = off");
    const name = new URL(database).pathname.slice(1);
    await client.query(
      `alter database "${name}" set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`,
    );
    if (isReadOnly) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
  } finally {
    await client.end();
  }
}

/** The connections that a service opens, in order. */
const CONNECTIONS = ["migrations", "the others", "reports", "lookups", "transactions"];

async function session(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

/** Lets a database have no further connections, except those of superusers. */
async function limitSlots(database: string, slots: number): Promise<void> {
  const client = await session(database);
  const name = new URL(database).pathname.slice(1);
  await client.query(`alter database "${name}" connection limit ${slots}`);
}

/** Returns the URL of a database as a user who is not a superuser, but its owner. */
async function asOwner(database: string): Promise<string> {
  const client = await session(database);
  const url = new URL(database);
  const name = url.pathname.slice(1);
  await client.query(`create role "${name}" login`);
  await client.query(`alter database "${name}" owner to "${name}"`);
  onTestFinished(async () => {
    const server = await session(Object.assign(new URL(database), { pathname: "/postgres" }).href);
    await server.query(`drop database if exists "${name}" with (force)`);
    await server.query(`drop role "${name}"`);
  });
  return Object.assign(url, { username: name }).href;
}

/** Ends the connections of a service. */
async function endConnections(database: string): Promise<void> {
  const client = await session(database);
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'riskgate'`,
  );
}

const title = "a service whose database goes away";
/** Only what waits for the server takes so long, however busy the machine. */
const HANG_MS = 8_000;

const RECOVERY = { timeout: 30_000, interval: 100 };

describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("is not ready, refuses reports, and answers lookups from memory", async () => {
    const { link, lookUp, isReady, report } = await linkedService();
    expect(await isReady()).toMatchObject({ status: 200, retryAfter: null });
    await link.cut();
    await expect.poll(isReady).toMatchObject({ status: 503, retryAfter: "2" });
    expect(await report()).toMatchObject({ status: 503, retryAfter: "2" });
    expect(await lookUp()).toMatchObject({ status: 200 });
    await link.mend();
    await expect.poll(isReady, { timeout: 60_000 }).toMatchObject({ status: 200 });
    expect(await report()).toMatchObject({ status: 200, retryAfter: null });
  });

  it("goes on taking the keys that it knows, whatever was changed or tried before", async () => {
    const { link, lookUp, rename } = await linkedService();
    expect(await rename()).toMatchObject({ status: 200 });
    await link.cut();
    expect(await lookUp()).toMatchObject({ status: 200 });
    expect(await rename()).toMatchObject({ status: 503 });
    expect(await lookUp()).toMatchObject({ status: 200 });
  });

  it("finds it again once it can be written again, as after a failover", async () => {
    const { database, lookUp, isReady, report } = await linkedService();
    await allowOnlyReading(database, true);
    await expect.poll(isReady).toMatchObject({ status: 503, retryAfter: "2" });
    expect(await report()).toMatchObject({ status: 503 });
    expect(await lookUp()).toMatchObject({ status: 200 });
    await allowOnlyReading(database, false);
    await expect.poll(isReady).toMatchObject({ status: 200 });
    expect(await report()).toMatchObject({ status: 200 });
  });

  it("says soon that a frozen server is none, to all that ask at once", async () => {
    const { link, lookUp, isReady } = await linkedService();
    link.freeze();
    const probes = await Promise.all(Array.from({ length: 50 }, isReady));
    const lookups = await Promise.all(Array.from({ length: 50 }, lookUp));
    link.thaw();
    expect(probes.filter(({ status, ms }) => status !== 503 || ms >= HANG_MS)).toEqual([]);
    const isRight = ({ status, retryAfter }: Answer): boolean =>
      status === 200 || (status === 503 && retryAfter === "2");
    expect(lookups.filter((one) => !isRight(one) || one.ms >= HANG_MS)).toEqual([]);
    await expect.poll(isReady, { timeout: 60_000 }).toMatchObject({ status: 200 });
  });

  it.each(["reports", "lookups"])(
    "is not ready while its connection for %s is stalled, and reopens it",
    async (name) => {
      const { link, isReady, report } = await linkedService();
      link.freezeOne(CONNECTIONS.indexOf(name));
      expect(await isReady()).toMatchObject({ status: 503, retryAfter: "2" });
      await expect.poll(isReady, RECOVERY).toMatchObject({ status: 200 });
      expect(await report()).toMatchObject({ status: 200 });
    },
  );

  it.each(["log", "heads", "event_ids", "api_keys", "ledger"])(
    "is not ready while another session has locked the table %s",
    async (table) => {
      const { database, isReady, report } = await linkedService();
      const other = await session(database);
      await other.query("begin");
      await other.query(`lock table ${table} in access exclusive mode`);
      expect(await isReady()).toMatchObject({ status: 503, retryAfter: "2" });
      await other.query("rollback");
      await expect.poll(isReady, RECOVERY).toMatchObject({ status: 200 });
      expect(await report()).toMatchObject({ status: 200 });
    },
  );

  it("is not ready while all slots of the server are used", async () => {
    const { database, isReady, report } = await linkedService({}, asOwner);
    await limitSlots(database, 0);
    await endConnections(database);
    await expect.poll(isReady, RECOVERY).toMatchObject({ status: 503 });
    expect(await report()).toMatchObject({ status: 503 });
    await limitSlots(database, -1);
    await expect.poll(isReady, RECOVERY).toMatchObject({ status: 200 });
    expect(await report()).toMatchObject({ status: 200 });
  });
});
