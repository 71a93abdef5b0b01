import type { FoundRecord } from "../model/found-record.js";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";
import { SPELLING } from "./ledger-store.js";

/** Maximum number of records of each type. */
const MAX_FOUND = 5;

/** Finds incidents, events, decisions, deliveries, playbooks, addresses and accounts by the start of their names. */
export async function findRecords(
  database: Database,
  text: string,
): Promise<readonly FoundRecord[]> {
  const { startsWith } = dialectOf(database);
  const ids = startsWith("id", text);
  const incidents = await database
    .selectFrom("incidents")
    .select(["id", "genre as about"])
    .where(ids)
    .orderBy("seq", "desc")
    .limit(MAX_FOUND)
    .execute();
  const events = await database
    .selectFrom("event_ids")
    .innerJoin("log", "log.seq", "event_ids.log_seq")
    .select(["event_ids.event_id as id", "log.kind as about"])
    // The index begins with the application, so this condition makes it usable.
    .where("event_ids.application_id", "in", (query) =>
      query.selectFrom("applications").select("id"),
    )
    .where(startsWith("event_ids.event_id", text))
    .where("log.type", "=", "security_event")
    .orderBy("event_ids.event_id")
    .limit(MAX_FOUND)
    .execute();
  const decisions = await database
    .selectFrom("decisions")
    .select(["id", "record_json"])
    .where("application_id", "in", (query) => query.selectFrom("applications").select("id"))
    .where(ids)
    .orderBy("id")
    .limit(MAX_FOUND)
    .execute();
  const deliveries = await database
    .selectFrom("deliveries")
    .select(["id", "state as about"])
    .where(ids)
    .orderBy("id")
    .limit(MAX_FOUND)
    .execute();
  const playbooks = await database
    .selectFrom("playbooks")
    .select(["id", "name as about"])
    .where(ids)
    .orderBy("id")
    .limit(MAX_FOUND)
    .execute();
  return [
    ...(await subjectsIn(database, "ip", text)).map(named("address")),
    ...(await subjectsIn(database, "account", text)).map(named("account")),
    ...incidents.map((one) => ({ type: "incident" as const, ...one })),
    ...events.map((one) => ({ type: "event" as const, ...one })),
    ...decisions.map(({ id, record_json: text }) => ({
      type: "decision" as const,
      id,
      about: (JSON.parse(text) as { outcome: string }).outcome,
    })),
    ...deliveries.map((one) => ({ type: "delivery" as const, ...one })),
    ...playbooks.map((one) => ({ type: "playbook" as const, ...one })),
  ];
}

async function subjectsIn(
  database: Database,
  type: "ip" | "account",
  text: string,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("ledger")
    .select(SPELLING.as("subject"))
    .distinct()
    .where("subject_type", "=", type)
    // Stored in lower case. The key of a mailbox or a network begins like its spellings.
    .where(dialectOf(database).startsWith("subject_key", text.toLowerCase()))
    .orderBy("subject")
    .limit(MAX_FOUND)
    .execute();
  return rows.map(({ subject }) => subject);
}

const named =
  (type: FoundRecord["type"]) =>
  (id: string): FoundRecord => ({ type, id, about: "" });
