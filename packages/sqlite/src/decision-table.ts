import { RiskGateError } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/core/log";
import type { RecordSink } from "@riskgate/core/internal";
import type Libsql from "libsql";
import { openDatabase } from "./open-database.js";

export interface DecisionTableSettings {
  readonly path: string;
  readonly keepDays: number;
}

const VERSION = 1;

const DAY_MS = 86_400_000;

/** Larger than a batch, so that an overdue table catches up, yet small enough not to block long. */
const MAX_REMOVED = 1_000;

const TABLES = `
  create table decisions (
    id integer primary key,
    at_ms integer not null,
    route text,
    outcome text not null,
    score real,
    ip_digest text,
    email_digest text,
    -- The whole record, as a line of a log file has it.
    record text not null
  );
  create index decisions_at on decisions (at_ms);
  create index decisions_ip on decisions (ip_digest) where ip_digest is not null;
  create index decisions_email on decisions (email_digest) where email_digest is not null;
`;

const INSERT = `
  insert into decisions (at_ms, route, outcome, score, ip_digest, email_digest, record)
  values (?, ?, ?, ?, ?, ?, ?)
`;

const REMOVE = `
  delete from decisions where id in (
    select id from decisions where at_ms < ? order by at_ms limit ${MAX_REMOVED}
  )
`;

/** A table of decisions in an SQLite file, which several processes may share. */
export function createDecisionTable({ path, keepDays }: DecisionTableSettings): RecordSink {
  let database: Libsql.Database | undefined;

  return {
    async write(batch) {
      database ??= await openDatabase(path, (opened) => makeTable(opened, path));
      const insert = database.prepare(INSERT);
      const remove = database.prepare(REMOVE);
      const addAll = database.transaction(() => {
        for (const line of batch) insert.run(columnsOf(line));
        remove.run(Date.now() - keepDays * DAY_MS);
      });
      // Two processes that both start by reading would both fail to write.
      addAll.immediate();
    },
    close() {
      database?.close();
      database = undefined;
    },
  };
}

function columnsOf(line: string): (string | number | null)[] {
  const { at, route, outcome, score, ip, email } = JSON.parse(line) as DecisionRecord;
  const digests = [ip.digest ?? null, email.digest ?? null];
  return [Date.parse(at), route, outcome, score, ...digests, line];
}

function makeTable(database: Libsql.Database, path: string): void {
  const version = versionOf(database);
  if (version > VERSION) {
    throw new RiskGateError(
      "STORE_FAILED",
      `the decisions in ${path} were written by a later version of @riskgate/sqlite`,
      { hint: "Install that version, or give this one a different file" },
    );
  }
  const make = database.transaction(() => {
    // Another process may have created the table meanwhile.
    if (versionOf(database) === VERSION) return;
    database.exec(`${TABLES} pragma user_version = ${VERSION}`);
  });
  if (version < VERSION) make.immediate();
}

function versionOf(database: Libsql.Database): number {
  const [{ user_version: version }] = database.pragma("user_version") as [{ user_version: number }];
  return version;
}
