import type { AcceptedDelivery, InboxCounts, ParkedDelivery } from "@riskgate/core/payloads";
import { splitDelivery } from "@riskgate/core/payloads";
import type Libsql from "libsql";

/** A delivery, or an individually retried element, that is being handled. */
export interface StoredItem {
  readonly id: number;
  readonly delivery: AcceptedDelivery;
  /** Position of the first element that has not been handled. */
  readonly at: number;
  /** Number of failed attempts for that element. */
  readonly starts: number;
  /** Number of times it was postponed without starting. */
  readonly postponed: number;
}

/** When an element is retried, or why it is not. */
export type Retry =
  | { readonly starts: number; readonly dueMs: number }
  | { readonly starts: number; readonly parkedMs: number; readonly reason: string };

interface Row {
  readonly id: number;
  readonly secret_id: string;
  readonly first_index: number | null;
  readonly at: number;
  readonly starts: number;
  readonly postponed: number;
  readonly due_ms: number;
  readonly reason: string | null;
  readonly body: ArrayBuffer;
}

const WAITING = 0;
const ACTIVE = 1;
const PARKED = 2;

/**
 * An inbox's stored deliveries. Accepted deliveries are synced to disk; other changes survive a
 * process exit, but after a power failure an element may be handled again.
 */
export class StoredDeliveries {
  readonly #database: Libsql.Database;
  readonly #maxParked: number;
  readonly #statements = new Map<string, Libsql.Statement<[unknown[]]>>();

  constructor(database: Libsql.Database, maxParked: number) {
    this.#database = database;
    this.#maxParked = maxParked;
    database.pragma("synchronous = NORMAL");
  }

  /** Stores deliveries atomically, and waits for the disk. */
  add(deliveries: readonly AcceptedDelivery[], nowMs: number): void {
    this.#database.pragma("synchronous = FULL");
    try {
      this.#atomically(() => {
        for (const delivery of deliveries) this.#insert(delivery, { starts: 0, dueMs: nowMs });
      });
    } finally {
      this.#database.pragma("synchronous = NORMAL");
    }
  }

  /** Takes the next due item; its element then counts as started. */
  take(isSuspect: boolean, nowMs: number): StoredItem | undefined {
    return this.#atomically(() => {
      const [row] = this.#all(
        `select * from items join bodies using (id)
         where state = ${WAITING} and suspect = ? and due_ms <= ? order by due_ms, id limit 1`,
        Number(isSuspect),
        nowMs,
      );
      if (!row) return undefined;
      this.#run(`update items set state = ${ACTIVE} where id = ?`, row.id);
      return itemOf(row);
    });
  }

  /** Returns when the next item is due, in Unix milliseconds; undefined if none is waiting. */
  nextDueMs(isSuspect: boolean): number | undefined {
    const [row] = this.#all(
      `select due_ms from items where state = ${WAITING} and suspect = ? order by due_ms limit 1`,
      Number(isSuspect),
    );
    return row?.due_ms;
  }

  /** Records that everything before `at` is handled, and that the element there is in progress. */
  advance(id: number, at: number): void {
    this.#run("update items set at = ?, starts = 0, postponed = 0 where id = ?", at, id);
  }

  /** Records that everything before `at` is handled, and releases the remaining elements. */
  release(id: number, at: number): void {
    this.#run(`update items set at = ?, state = ${WAITING} where id = ?`, at, id);
  }

  /** Postpones the element at `at`, which was not started. */
  postpone(id: number, at: number, postponed: number, dueMs: number): void {
    this.#run(
      `update items set at = ?, state = ${WAITING}, postponed = ?, due_ms = ? where id = ?`,
      at,
      postponed,
      dueMs,
      id,
    );
  }

  finish(id: number): void {
    this.#atomically(() => this.#delete(id));
  }

  retry(id: number, retry: Retry): void {
    this.#atomically(() => {
      this.#run(
        `update items set state = ?, starts = ?, due_ms = ?, reason = ?, postponed = 0
         where id = ?`,
        ...stateOf(retry),
        id,
      );
      this.#dropParked();
    });
  }

  /** Turns a failed element of a delivery into a separate item. */
  splitOff(id: number, at: number, element: AcceptedDelivery, retry: Retry): void {
    this.#atomically(() => {
      this.#insert(element, retry);
      this.advance(id, at + 1);
      this.#dropParked();
    });
  }

  /**
   * Recovers items that were being handled when their process exited: each such element has used an
   * attempt, and becomes a separate suspect.
   *
   * @param retryOf Returns the next step for an element after this many attempts.
   */
  recover(nowMs: number, longestWaitMs: number, retryOf: (starts: number) => Retry): void {
    // The clock may have been set back since.
    const lastMs = nowMs + longestWaitMs;
    this.#run(`update items set due_ms = min(due_ms, ?) where state = ${WAITING}`, lastMs);
    const sql = `select id from items where state = ${ACTIVE}`;
    for (const { id } of this.#all(sql)) this.#recoverOne(id, retryOf);
  }

  counts(nowMs: number): InboxCounts {
    const [row] = this.#all<Record<keyof InboxCounts, number>>(
      `select
         count(*) filter (where state = ${WAITING} and due_ms <= ?1) as waiting,
         count(*) filter (where state = ${WAITING} and due_ms > ?1) as "delayed",
         count(*) filter (where state = ${ACTIVE}) as active,
         count(*) filter (where state = ${PARKED}) as parked
       from items`,
      nowMs,
    );
    const { waiting = 0, active = 0, delayed = 0, parked = 0 } = row ?? {};
    return { waiting, active, delayed, parked };
  }

  parked(limit: number): readonly ParkedDelivery[] {
    return this.#all(
      `select * from items join bodies using (id) where state = ${PARKED}
       order by due_ms desc, id desc limit ?`,
      limit,
    ).map((row) => ({
      id: String(row.id),
      delivery: itemOf(row).delivery,
      reason: row.reason ?? "",
      parkedMs: row.due_ms,
    }));
  }

  /** Returns all parked elements to the queue, with their attempts reset. */
  unpark(nowMs: number): number {
    return this.#run(
      `update items set state = ${WAITING}, starts = 0, postponed = 0, due_ms = ?, reason = null
       where state = ${PARKED}`,
      nowMs,
    );
  }

  #recoverOne(id: number, retryOf: (starts: number) => Retry): void {
    this.#atomically(() => {
      const [row] = this.#all("select * from items join bodies using (id) where id = ?", id);
      if (!row) return;
      const item = itemOf(row);
      const elements = splitDelivery(item.delivery);
      const element = elements[item.at];
      if (element) this.#insert(element, retryOf(item.starts + 1), true);
      if (item.at + 1 < elements.length) this.release(id, item.at + 1);
      else this.#delete(id);
      this.#dropParked();
    });
  }

  #insert(delivery: AcceptedDelivery, retry: Retry, isSuspect = false): void {
    const { body, secretId, firstIndex } = delivery;
    this.#run(
      `insert into items (state, starts, due_ms, reason, secret_id, first_index, suspect)
       values (?, ?, ?, ?, ?, ?, ?)`,
      ...stateOf(retry),
      secretId,
      firstIndex ?? null,
      Number(isSuspect),
    );
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#run("insert into bodies (id, body) values (last_insert_rowid(), ?)", bytes);
  }

  #delete(id: number): void {
    this.#run("delete from bodies where id = ?", id);
    this.#run("delete from items where id = ?", id);
  }

  #dropParked(): void {
    const tooMany = this.#all(
      `select id from items where state = ${PARKED}
       order by due_ms desc, id desc limit -1 offset ?`,
      this.#maxParked,
    );
    for (const { id } of tooMany) this.#delete(id);
  }

  #atomically<T>(work: () => T): T {
    this.#database.exec("begin immediate");
    try {
      const result = work();
      this.#database.exec("commit");
      return result;
    } catch (error) {
      // On a full disk, SQLite has already rolled back.
      if (this.#database.inTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  #run(sql: string, ...values: unknown[]): number {
    return this.#statement(sql).run(values).changes;
  }

  #all<T = Row>(sql: string, ...values: unknown[]): T[] {
    return this.#statement(sql).all(values) as T[];
  }

  /** Only the garbage collector releases a statement, so each is prepared once. */
  #statement(sql: string): Libsql.Statement<[unknown[]]> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare<[unknown[]]>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function itemOf(row: Row): StoredItem {
  const { id, body, secret_id: secretId, first_index: firstIndex } = row;
  const place = firstIndex === null ? {} : { firstIndex };
  const { at, starts, postponed } = row;
  return { id, delivery: { body: Buffer.from(body), secretId, ...place }, at, starts, postponed };
}

function stateOf(retry: Retry): readonly unknown[] {
  const { starts } = retry;
  if ("reason" in retry) return [PARKED, starts, retry.parkedMs, retry.reason];
  return [WAITING, starts, retry.dueMs, null];
}
