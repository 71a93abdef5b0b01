import { randomUUID } from "node:crypto";
import type { RiskGateError } from "@riskgate/core";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import {
  connectionLost,
  inUse,
  lockedOut,
  noAnswer,
  postgresError,
  readUrl,
  takenOver,
} from "./postgres-error.js";
import { type PostgresTimes, TIMES } from "./postgres-times.js";
import { bindable, inTime, pause } from "./postgres-query.js";

/** The lock that a process holds on its database; any number that nobody else uses. */
const TRY_LOCK = "select pg_try_advisory_lock(6020734119032157231) as locked";

/** Ends a connection that has that lock. */
const END_BACKEND = `
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and pid = $1
    and database = (select oid from pg_database where datname = current_database())
`;

/** Type of `bigint` in PostgreSQL; all of ours are well below 2^53. */
const INT8 = 20;

const KEEPALIVES =
  "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/** Settings of a connection. */
export interface ConnectionOptions {
  readonly url: string;
  /** Whether other processes are kept out. */
  readonly isExclusive: boolean;
  readonly times?: Partial<PostgresTimes> | undefined;
  /** Called once, when another process has used the database since this one did. */
  readonly onTakenOver?: ((error: RiskGateError) => void) | undefined;
}

/**
 * The one connection of a process, as a pool of one.
 *
 * All that the process does is in one order, as on SQLite, and what it has read stays true until the
 * end of the transaction. The lock that keeps other processes out belongs to the connection. A
 * connection that fails in any way is never used again, so that the server rolls back what was begun
 * on it; while there is none, callers are refused at once, and another one is made in the background.
 */
export class PostgresConnection implements PostgresPool {
  readonly #options: ConnectionOptions;
  readonly #times: PostgresTimes;
  #client: pg.Client | undefined;
  /** Why there is none. */
  #failure: RiskGateError | undefined;
  #restoring: Promise<void> | undefined;
  #attempt: Promise<void> | undefined;
  /** Process of the server behind the last connection. */
  #backend: number | undefined;
  /** What the database says of who used it last, where that is this process. */
  #holder: string | undefined;
  #isTaken = false;
  #isClosed = false;
  /** Those that wait for the connection, in order; each is called when it is its turn. */
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
  }

  /** Connects, and waits a while for another process to stop. */
  async open(): Promise<void> {
    const endMs = performance.now() + this.#times.takeoverMs;
    for (;;) {
      const client = await this.#dial();
      try {
        if (!this.#options.isExclusive || (await this.#lock(client))) return this.#use(client);
        if (performance.now() > endMs) throw inUse();
      } catch (error) {
        await client.end();
        throw postgresError(error);
      }
      await client.end();
      await pause(this.#times.retryMs);
    }
  }

  /** Writes into the database, whose tables must be there, that this process uses it. */
  async sign(): Promise<void> {
    const id = randomUUID();
    const client = await this.connect();
    try {
      await client.query("delete from holders", []);
      await client.query("insert into holders (id) values ($1)", [id]);
      this.#holder = id;
    } finally {
      client.release();
    }
  }

  async connect(): Promise<PostgresPoolClient> {
    await this.#turn();
    try {
      const client = await this.#current();
      return {
        // Kysely reads streams in another way; nothing of ours is one.
        query: ((text: string, values?: readonly unknown[]) =>
          this.#query(client, text, values)) as unknown as PostgresPoolClient["query"],
        release: () => this.#next(),
      };
    } catch (error) {
      this.#next();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.#turn().catch(() => {});
    this.#isClosed = true;
    this.#failure = connectionLost();
    await this.#restoring;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
    this.#next();
  }

  async #query(
    client: pg.Client,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult> {
    if (client !== this.#client) {
      // The server has rolled back already; an error of this would hide the first one.
      if (text === "rollback")
        return { rows: [], command: "ROLLBACK" } as unknown as pg.QueryResult;
      throw connectionLost();
    }
    const { statementMs, answerMs } = this.#times;
    try {
      return await inTime(client.query(text, values.map(bindable)), statementMs + answerMs, () =>
        this.#lose(client),
      );
    } catch (error) {
      throw postgresError(error);
    }
  }

  /** The connection; while there is none, the first attempt to make one is waited for. */
  async #current(): Promise<pg.Client> {
    if (!this.#client && !this.#failure) await this.#attempt;
    if (this.#client) return this.#client;
    throw this.#failure ?? connectionLost();
  }

  /** Takes a connection into use, until it fails. */
  #use(client: pg.Client): void {
    this.#client = client;
    this.#failure = undefined;
    this.#backend = (client as unknown as { readonly processID?: number }).processID;
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    // With a query under way, the socket is closed at once.
    void client.end().catch(() => {});
    this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined));
  }

  /** Connects again and again, until there is a connection or no use for one. */
  async #restore(): Promise<void> {
    while (!this.#client && !this.#isClosed && !this.#isTaken) {
      this.#attempt = this.#again().catch((error: unknown) => {
        this.#failure = postgresError(error);
      });
      await this.#attempt;
      this.#attempt = undefined;
      if (!this.#client && !this.#isTaken) await pause(this.#times.retryMs);
    }
  }

  async #again(): Promise<void> {
    const client = await this.#dial();
    try {
      if (this.#options.isExclusive) await this.#claim(client);
      if (this.#isClosed) throw connectionLost();
      this.#use(client);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Takes the lock again, unless another process had it meanwhile. */
  async #claim(client: pg.Client): Promise<void> {
    const hasLock = await this.#lock(client);
    if (this.#holder !== undefined && !(await this.#isHolder(client, this.#holder))) {
      this.#isTaken = true;
      const error = takenOver();
      this.#options.onTakenOver?.(error);
      throw error;
    }
    if (hasLock) return;
    // The server may not know yet that the connection before is gone, and keep its lock for hours.
    await inTime(client.query(END_BACKEND, [this.#backend]), this.#times.connectMs);
    throw lockedOut();
  }

  async #lock(client: pg.Client): Promise<boolean> {
    const asked = client.query<{ locked: boolean }>(TRY_LOCK);
    const { rows } = await inTime(asked, this.#times.connectMs);
    return rows[0]!.locked;
  }

  async #isHolder(client: pg.Client, id: string): Promise<boolean> {
    const asked = client.query("select from holders where id = $1", [id]);
    const { rowCount } = await inTime(asked, this.#times.connectMs);
    return rowCount === 1;
  }

  async #dial(): Promise<pg.Client> {
    const { connectMs, statementMs } = this.#times;
    // Loaded only now: most services do without.
    const { default: driver } = await import("pg");
    const types = new driver.TypeOverrides();
    types.setTypeParser(INT8, Number);
    const client = readUrl(
      () =>
        new driver.Client({
          connectionString: this.#options.url,
          application_name: "riskgate",
          connectionTimeoutMillis: connectMs,
          statement_timeout: statementMs,
          keepAlive: true,
          types,
        }),
    );
    // Without a listener, an error of the connection ends the process.
    client.on("error", () => {});
    try {
      await client.connect();
      // A machine that lost its power must not keep the lock for the two hours of TCP.
      await inTime(client.query(KEEPALIVES), connectMs);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw postgresError(error);
    }
  }

  /** Waits until nobody else uses the connection. */
  async #turn(): Promise<void> {
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(noAnswer());
      }, this.#times.queueMs);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(begin);
    });
  }

  #next(): void {
    const begin = this.#waiting.shift();
    if (begin) begin();
    else this.#isBusy = false;
  }
}
