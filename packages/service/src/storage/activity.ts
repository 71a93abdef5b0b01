import { type RawBuilder, sql } from "kysely";
import type { ActivityFilter, ActivityStore } from "./activity-store.js";
import type { Database } from "./database.js";
import { findRecords } from "./find-records.js";
import { SPELLING } from "./ledger-store.js";
import { inTexts } from "./lists.js";

/** Maximum number of rows that are counted; SQLite counts so many in about 50 ms. */
export const MAX_COUNTED = 50_000;

const MAX_INCIDENTS = 10_000;

export function createActivity(database: Database): ActivityStore {
  return {
    async events(filter) {
      const { first, count } = await database
        .selectFrom(newestEvents(database, filter))
        .select(({ fn }) => [
          fn.min<number | null>("occurred_at").as("first"),
          fn.countAll<number>().as("count"),
        ])
        .executeTakeFirstOrThrow();
      return { first, count };
    },
    eventsByStep: (filter, stepMicros) =>
      database
        .selectFrom(newestEvents(database, filter))
        .select(({ fn }) => [
          stepOf(filter, stepMicros).as("step"),
          fn.countAll<number>().as("events"),
          fn.countAll<number>().filterWhere("high_risk", "=", 1).as("highRisk"),
        ])
        .groupBy("step")
        .execute(),
    async subjects(filter) {
      const rows = await database
        .selectFrom(newestSubjects(database, filter))
        .select(({ fn }) => ["subject_type", "subject", fn.countAll<number>().as("events")])
        .groupBy(["subject_type", "subject"])
        .orderBy("events", "desc")
        .orderBy("subject")
        .execute();
      return rows.map(({ subject_type: type, subject, events }) => ({ type, subject, events }));
    },
    subjectsByStep: (filter, stepMicros, names) =>
      database
        .selectFrom(newestSubjects(database, filter))
        .select(({ fn }) => [
          "subject as name",
          stepOf(filter, stepMicros).as("step"),
          fn.countAll<number>().as("events"),
        ])
        .where("subject", "in", inTexts(database, names))
        .groupBy(["subject", "step"])
        .execute(),
    async incidents({ applicationId, since, until }) {
      const rows = await database
        .selectFrom("incidents")
        .select(["started_at", "ended_at"])
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .where("started_at", "<=", until)
        .where((where) => where.or([where("ended_at", "is", null), where("ended_at", ">=", since)]))
        .orderBy("seq", "desc")
        .limit(MAX_INCIDENTS)
        .execute();
      return rows.map(({ started_at: startedAt, ended_at: endedAt }) => ({ startedAt, endedAt }));
    },
    find: (text) => findRecords(database, text),
  };
}

function newestEvents(database: Database, { applicationId, since, until }: ActivityFilter) {
  return database
    .selectFrom("log")
    .select(["occurred_at", "high_risk"])
    .where("type", "=", "security_event")
    .$if(applicationId !== undefined, (query) => query.where("application_id", "=", applicationId!))
    .where("occurred_at", ">=", since)
    .where("occurred_at", "<=", until)
    .orderBy("received_at", "desc")
    .limit(MAX_COUNTED)
    .as("newest");
}

function newestSubjects(database: Database, { applicationId, since, until }: ActivityFilter) {
  return database
    .selectFrom("ledger")
    .select(["subject_type", SPELLING.as("subject"), "occurred_at"])
    .$if(applicationId !== undefined, (query) => query.where("application_id", "=", applicationId!))
    .where("subject_type", "in", ["ip", "account"])
    .where("occurred_at", ">=", since)
    .where("occurred_at", "<=", until)
    .orderBy("occurred_at", "desc")
    .limit(MAX_COUNTED)
    .as("newest");
}

/** The number of the step in which a row occurred; a cast, because SQLite binds numbers as floats. */
function stepOf({ since }: ActivityFilter, stepMicros: number): RawBuilder<number> {
  return sql<number>`(occurred_at - cast(${since} as bigint)) / cast(${stepMicros} as bigint)`;
}
