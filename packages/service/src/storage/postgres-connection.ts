import type { RiskGateError } from "@riskgate/core";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import {
  cannotWrite,
  connectionLost,
  noAnswer,
  postgresError,
  READ_ONLY,
  readUrl,
} from "./postgres-error.js";
import { type PostgresTimes, TIMES } from "./postgres-times.js";
import { bindable, inTime, pause } from "./postgres-query.js";
import { CHANGES } from "./change-triggers.js";
import { codeOf } from "./store-error.js";

/** PostgreSQL type id of `bigint`; all our values are well below 2^53. */
const INT8 = 20;

/**
 * Timeouts that release the locks of a process that died or hangs. PostgreSQL 13 has no timeout for
 * idle sessions. Without bitmaps, the next entries of a log are read in the order of its key; the
 * planner, which underestimates how many wait, would collect and sort all of them.
 */
const SETTINGS = `
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set idle_in_transaction_session_timeout = '2s';
  select set_config(name, '10s', false) from pg_settings where name = 'idle_session_timeout';
  set enable_bitmapscan = off;
  listen ${CHANGES}
`;

/**
 * Comment that names a statement to be prepared: one that is repeated at short intervals and concerns
 * every day of the log, which takes longer to plan than to execute.
 */
const PREPARED = /^\s*\/\* prepared: (\w+) \*\//;

/** Interval of the keep-alive query on an idle connection, which shows that the process is not hanging. */
const ALIVE_MS = 3_000;

export interface ConnectionOptions {
  readonly url: string;
  readonly times?: Partial<PostgresTimes> | undefined;
  /** Called when the connection is lost, and with it every lock of the process. */
  readonly onLost?: (() => void) | undefined;
  /** Called when any process has made a change that all processes must load soon. */
  readonly onChanged?: (() => void) | undefined;
}

/**
 * A single connection, in the form of a pool.
 *
 * Queries run one after the other, as on SQLite, and all locks belong to this connection. A connection
 * that fails in any way is never used again, so that the server rolls back its open transaction.
 * While there is no connection, calls fail immediately and a new one is opened in the background.
 */
export class PostgresConnection implements PostgresPool {
  readonly #options: ConnectionOptions;
  readonly #times: PostgresTimes;
  #client: pg.Client | undefined;
  #failure: RiskGateError | undefined;
  #restoring: Promise<void> | undefined;
  #attempt: Promise<void> | undefined;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #alive: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
  }

  async open(): Promise<void> {
    this.#use(await this.#dial());
    this.#alive = setInterval(() => void this.#showLife(), ALIVE_MS).unref();
  }

  async connect(): Promise<PostgresPoolClient> {
    await this.#turn();
    try {
      const client = await this.#current();
      return {
        // Kysely would pass cursors for streaming, which we do not use.
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
    clearInterval(this.#alive);
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
      // The server has already rolled back; an error here would hide the first one.
      if (text === "rollback")
        return { rows: [], command: "ROLLBACK" } as unknown as pg.QueryResult;
      throw connectionLost();
    }
    const { statementMs, answerMs } = this.#times;
    try {
      const name = PREPARED.exec(text)?.[1];
      const query = { ...(name !== undefined && { name }), text, values: values.map(bindable) };
      return await inTime(client.query(query), statementMs + answerMs, () => this.#lose(client));
    } catch (error) {
      // Disconnect from a demoted server, so that the new primary is found.
      if (codeOf(error) === READ_ONLY) this.#lose(client);
      throw postgresError(error);
    }
  }

  async #showLife(): Promise<void> {
    if (this.#isBusy || !this.#client) return;
    this.#isBusy = true;
    // If this fails, the connection counts as lost and is reopened.
    await this.#query(this.#client, "select").catch(() => {});
    this.#next();
  }

  /** Returns the connection; if there is none, waits for the first attempt to open it. */
  async #current(): Promise<pg.Client> {
    if (!this.#client && !this.#failure) await this.#attempt;
    if (this.#client) return this.#client;
    throw this.#failure ?? connectionLost();
  }

  #use(client: pg.Client): void {
    this.#client = client;
    this.#failure = undefined;
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", () => this.#options.onChanged?.());
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    this.#options.onLost?.();
    // If a query is running, the socket is closed immediately.
    void client.end().catch(() => {});
    this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined));
  }

  async #restore(): Promise<void> {
    while (!this.#client && !this.#isClosed) {
      this.#attempt = this.#again().catch((error: unknown) => {
        this.#failure = postgresError(error);
      });
      await this.#attempt;
      this.#attempt = undefined;
      if (!this.#client) await pause(this.#times.retryMs);
    }
  }

  async #again(): Promise<void> {
    const client = await this.#dial();
    if (!this.#isClosed) return this.#use(client);
    await client.end();
    throw connectionLost();
  }

  async #dial(): Promise<pg.Client> {
    const { connectMs, statementMs } = this.#times;
    // Loaded on first use: most services do not need it.
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
    // Without a listener, a connection error would crash the process.
    client.on("error", () => {});
    try {
      await client.connect();
      await inTime(client.query(SETTINGS), connectMs);
      await inTime(refuseReadOnly(client), connectMs);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw postgresError(error);
    }
  }

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

/** Rejects a read-only server: the service would look ready, but every report would fail. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    "show transaction_read_only",
  );
  if (rows[0]?.transaction_read_only === "on") throw cannotWrite();
}
