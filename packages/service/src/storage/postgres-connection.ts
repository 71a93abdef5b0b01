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

/** Type of `bigint` in PostgreSQL; all of ours are well below 2^53. */
const INT8 = 20;

/**
 * A process that is gone, or stands still, must not keep its locks. PostgreSQL 13 knows no limit for
 * an idle session.
 */
const SETTINGS = `
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set idle_in_transaction_session_timeout = '10s';
  select set_config(name, '10s', false) from pg_settings where name = 'idle_session_timeout';
  listen ${CHANGES}
`;

/** How often a connection that nobody uses shows that its process does not stand still. */
const ALIVE_MS = 3_000;

/** Settings of a connection. */
export interface ConnectionOptions {
  readonly url: string;
  readonly times?: Partial<PostgresTimes> | undefined;
  /** Called when the connection is lost, and with it every lock that the process had. */
  readonly onLost?: (() => void) | undefined;
  /** Called when any process has changed what all of them must know soon. */
  readonly onChanged?: (() => void) | undefined;
}

/**
 * One connection, as a pool of one.
 *
 * All that is done on it is in one order, as on SQLite, and its locks belong to it. A
 * connection that fails in any way is never used again, so that the server rolls back what was begun
 * on it; without a connection, callers get an error at once, and a new one is opened in the background.
 */
export class PostgresConnection implements PostgresPool {
  readonly #options: ConnectionOptions;
  readonly #times: PostgresTimes;
  #client: pg.Client | undefined;
  /** Why it is missing. */
  #failure: RiskGateError | undefined;
  #restoring: Promise<void> | undefined;
  #attempt: Promise<void> | undefined;
  #isClosed = false;
  /** Those that wait for the connection, in order; each is called when it is its turn. */
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #alive: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
  }

  /** Connects. */
  async open(): Promise<void> {
    this.#use(await this.#dial());
    this.#alive = setInterval(() => void this.#showLife(), ALIVE_MS).unref();
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
      // A server that was demoted loses the connection, so that its successor is found.
      if (codeOf(error) === READ_ONLY) this.#lose(client);
      throw postgresError(error);
    }
  }

  async #showLife(): Promise<void> {
    if (this.#isBusy || !this.#client) return;
    this.#isBusy = true;
    // If it fails, the connection is lost and opened again.
    await this.#query(this.#client, "select").catch(() => {});
    this.#next();
  }

  /** Returns the connection; without one, waits for the first attempt to open it. */
  async #current(): Promise<pg.Client> {
    if (!this.#client && !this.#failure) await this.#attempt;
    if (this.#client) return this.#client;
    throw this.#failure ?? connectionLost();
  }

  /** Takes a connection into use, until it fails. */
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
    // With a query under way, the socket is closed at once.
    void client.end().catch(() => {});
    this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined));
  }

  /** Connects again and again, until there is a connection or no use for one. */
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
      await inTime(client.query(SETTINGS), connectMs);
      await inTime(refuseReadOnly(client), connectMs);
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

/** Without this, whoever finds the server again would find it ready, and all reports fail. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    "show transaction_read_only",
  );
  if (rows[0]?.transaction_read_only === "on") throw cannotWrite();
}
