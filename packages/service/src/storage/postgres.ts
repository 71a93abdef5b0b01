import { RiskGateError } from "@riskgate/core";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import { storedText } from "./database.js";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";
import { codeOf, storeError } from "./store-error.js";

/** Time to connect, in milliseconds. */
const CONNECT_MS = 5_000;

/** Time for one statement, in milliseconds: the service answers 503 rather than wait. */
const STATEMENT_MS = 10_000;

/** How long a start waits for the process before to let go of the database, in milliseconds. */
const TAKEOVER_MS = 15_000;

const RETRY_MS = 250;

/** Key of the lock that a process holds on its database; any number that nobody else uses. */
const LOCK = "6020734119032157231";

/** Type of `bigint` in PostgreSQL; all of ours are well below 2^53. */
const INT8 = 20;

/**
 * Opens a database of PostgreSQL for this process alone.
 *
 * It works over one connection, as SQLite does: all that it does is in one order, and what it has read
 * stays true until the end of the transaction. The lock that keeps other processes out belongs to that
 * connection, and so ends with the process in every case.
 *
 * @param url `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=file`
 */
export async function openPostgres(url: string): Promise<Database> {
  const connection = new Connection(url, true);
  await connection.open(TAKEOVER_MS);
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connection }) });
}

/** Opens a database of PostgreSQL to look at it, whoever uses it. */
export async function lookAtPostgres(url: string): Promise<Database> {
  const connection = new Connection(url, false);
  await connection.open(0);
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connection }) });
}

/** The connection, as a pool of one that connects again when it was lost. */
class Connection implements PostgresPool {
  readonly #url: string;
  readonly #isExclusive: boolean;
  #client: pg.Client | undefined;
  /** Ends when whoever has the connection gives it back. */
  #last: Promise<void> = Promise.resolve();

  constructor(url: string, isExclusive: boolean) {
    this.#url = url;
    this.#isExclusive = isExclusive;
  }

  /** Connects, and waits for another process to stop for so long. */
  async open(waitMs: number): Promise<pg.Client> {
    const endMs = performance.now() + waitMs;
    for (;;) {
      const client = await connect(this.#url);
      if (!this.#isExclusive || (await isLocked(client))) {
        client.on("error", () => this.#forget(client));
        client.on("end", () => this.#forget(client));
        return (this.#client = client);
      }
      await client.end();
      if (performance.now() > endMs) throw inUse();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async connect(): Promise<PostgresPoolClient> {
    let release = (): void => {};
    const before = this.#last;
    this.#last = new Promise((resolve) => (release = resolve));
    await before;
    try {
      const client = this.#client ?? (await this.open(0));
      return {
        // Kysely reads streams in another way; nothing of ours is one.
        query: (async (text: string, values: readonly unknown[] = []) => {
          try {
            return await client.query(text, values.map(bindable));
          } catch (error) {
            throw postgresError(error);
          }
        }) as unknown as PostgresPoolClient["query"],
        release,
      };
    } catch (error) {
      release();
      throw postgresError(error);
    }
  }

  async end(): Promise<void> {
    await this.#last;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
  }
}

async function connect(url: string): Promise<pg.Client> {
  // Loaded only now: most services do without.
  const { default: driver } = await import("pg");
  const types = new driver.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const client = new driver.Client({
    connectionString: url,
    application_name: "riskgate",
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    // The server may be gone without a word; then the answer never comes.
    query_timeout: STATEMENT_MS + 2_000,
    keepAlive: true,
    types,
  });
  // Without a listener, an error of the connection ends the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw postgresError(error);
  }
}

async function isLocked(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(${LOCK}) as locked`,
  );
  return rows[0]!.locked;
}

function inUse(): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", "another process uses the database", {
    hint: "Stop that process, or give this one another database: one process at a time can use it",
  });
}

/** Text that PostgreSQL can keep, and numbers for what SQLite has no type for. */
function bindable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bindable);
  if (typeof value === "string") return storedText(value);
  return typeof value === "boolean" ? Number(value) : value;
}

/** Troubles that an operator can do something about, by the start of the code. */
const TROUBLES: readonly (readonly [code: string, message: string, hint: string])[] = [
  ["53100", "the disk of the database server is full", "Free some space; nothing was changed"],
  ["53", "the database server has no room for more", "Look at its limits"],
  ["57014", "the database took too long", "Look at its load and its locks"],
  ["57P", "the database server is stopping or starting", "It is tried again by itself"],
  ["28", "the database refused the user", "Check user and password in the URL"],
  ["3D000", "there is no such database", "Create it, or correct the URL"],
  ["42501", "the user may not do this in the database", "Make it the owner of the database"],
  ["ECONNREFUSED", "the database server cannot be reached", "Check host and port in the URL"],
  ["ENOTFOUND", "the host of the database has no address", "Check the host in the URL"],
];

/** The error for whatever PostgreSQL, or the way to it, has thrown. */
function postgresError(error: unknown): RiskGateError {
  const code = codeOf(error);
  const known = TROUBLES.find(([prefix]) => code.startsWith(prefix));
  if (!known) return storeError(error);
  const [, message, hint] = known;
  return new RiskGateError("STORE_FAILED", message, { cause: error, hint });
}
