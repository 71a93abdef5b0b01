import type { RawBuilder, SqlBool } from "kysely";
import type { Instant } from "../model/instant.js";
import type { NewLogEntry } from "../model/log-entry.js";
import type { StorageUsage } from "../model/storage-usage.js";
import type { Database } from "./schema.js";

/** SQL that differs between SQLite and PostgreSQL. A database receives its dialect when it is opened. */
export interface Dialect {
  /** Whether several processes can use a database; otherwise locks and shared counts are unnecessary. */
  readonly isShared: boolean;
  readonly columnTypes: ColumnTypes;
  /** Column that names the place of a row, for the duration of a statement. */
  readonly rowId: string;
  /** Binds a list as one value, so that lists of any length, including 0, share a statement. */
  inNumbers(this: void, values: readonly number[]): RawBuilder<number>;
  inTexts(this: void, values: readonly string[]): RawBuilder<string>;
  /**
   * Binds the rows of a statement as one value, a list of lists: `value ->> 0` is the first cell as
   * text and `value -> 0` the same cell as JSON.
   */
  rowsOf(this: void, rows: readonly (readonly unknown[])[]): RawBuilder<unknown>;
  startsWith(this: void, column: string, text: string): RawBuilder<SqlBool>;
  /** Runs a query for each row of texts, which are given as columns; at most one round trip. */
  queryEach<Row>(
    this: void,
    database: Database,
    columns: readonly (readonly string[])[],
    query: (...texts: readonly unknown[]) => RawBuilder<Row>,
  ): Promise<readonly (Row & { readonly index: number })[]>;
  append(
    this: void,
    database: Database,
    rows: readonly AppendedRow[],
    applications: readonly string[],
    how: AppendHow,
  ): Promise<Appended>;
  /** Runs a transaction that does not wait for the disk. */
  unsynced<T>(this: void, database: Database, work: (database: Database) => Promise<T>): Promise<T>;
  /**
   * Removes deleted rows from the write-ahead log. Does nothing within a transaction, and nothing on
   * PostgreSQL (see `docs/production.md`). If another process is reading, the next call does it.
   *
   * @param onlyIfDue Whether to do it only if another process prevented it before.
   */
  overwriteDeleted(this: void, database: Database, onlyIfDue?: boolean): Promise<void>;
  /** Returns the tables of which the log consists, oldest first. */
  logParts(this: void, database: Database): Promise<readonly LogPart[]>;
  /** Begins the day in the log, and prepares the next ones. */
  beginDays(this: void, database: Database): Promise<void>;
  usage(this: void, database: Database): Promise<StorageUsage>;
}

/** Column types, by the names that `tables.ts` uses. */
export type ColumnTypes = Readonly<
  Record<
    "seq" | "text" | "small" | "integer" | "bigint" | "blob",
    "text" | "smallint" | "integer" | "bigint" | "blob" | "bytea" | "bigserial"
  >
>;

/** An entry with the application to whose log it belongs. */
export interface AppendedRow extends NewLogEntry {
  readonly applicationId: string;
}

export interface AppendHow {
  readonly now: Instant;
  /**
   * Whether to hold the heads of the logs until the end of the transaction, so that the numbers of an
   * application ascend in the order of the commits: a consumer that has read up to a number has missed
   * nothing before it.
   */
  readonly holdsHeads: boolean;
}

export interface Appended {
  /** For each row its number, or undefined for a repeated id. */
  readonly seqs: readonly (number | undefined)[];
  /** Those of the applications that exist. */
  readonly known: ReadonlySet<string>;
}

/** A table with entries of the log. */
export interface LogPart {
  readonly table: string;
  /** Drops a day to which nothing is added anymore, and returns the number of its entries. */
  readonly drop?: () => Promise<number>;
}

export function dialectOf(database: { getExecutor(): { readonly adapter: unknown } }): Dialect {
  return (database.getExecutor().adapter as { readonly dialect: Dialect }).dialect;
}
