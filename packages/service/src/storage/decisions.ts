import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock, Instant } from "../model/instant.js";
import { inChunks } from "./lists.js";
import type { JsonObject, Schema } from "./schema.js";

/** A decision of a gate, as an application logged it. */
export interface LoggedDecision {
  /** Unique within the application. */
  readonly id: string;
  readonly decidedAt: Instant;
  /** Without plain addresses; see `docs/rehearsal.md`. */
  readonly record: JsonObject;
}

/** A decision on record. */
interface RecordedDecision extends LoggedDecision {
  /** Position in the list: a page begins before the last one of the page before. */
  readonly seq: number;
  readonly applicationId: string;
  readonly receivedAt: Instant;
}

/** Which decisions to list; newest first. */
interface DecisionFilter {
  readonly applicationId?: string;
  readonly beforeSeq?: number;
  readonly limit: number;
}

/** Decisions that applications logged. */
export interface Decisions {
  /** Keep those whose id is not yet known; the ids of those that were new. */
  insertNew(
    applicationId: string,
    decisions: readonly LoggedDecision[],
  ): Promise<ReadonlySet<string>>;
  list(filter: DecisionFilter): Promise<readonly RecordedDecision[]>;
}

/** Creates the decisions in a database. */
export function createDecisions(database: Database, clock: Clock): Decisions {
  return {
    insertNew: (applicationId, decisions) =>
      atomically(database, async (within) => {
        const now = clock();
        const rows = decisions.map(({ id, decidedAt, record }) => ({
          application_id: applicationId,
          id,
          decided_at: decidedAt,
          record_json: JSON.stringify(record),
          received_at: now,
        }));
        const added = new Set<string>();
        for (const chunk of inChunks(rows)) {
          const inserted = await within
            .insertInto("decisions")
            .values(chunk)
            .onConflict((conflict) => conflict.columns(["application_id", "id"]).doNothing())
            .returning("id")
            .execute();
          for (const { id } of inserted) added.add(id);
        }
        return added;
      }),
    async list({ applicationId, beforeSeq, limit }) {
      const rows = await database
        .selectFrom("decisions")
        .selectAll()
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(decisionOf);
    },
  };
}

function decisionOf(row: Selectable<Schema["decisions"]>): RecordedDecision {
  return {
    id: row.id,
    seq: row.seq,
    applicationId: row.application_id,
    decidedAt: row.decided_at,
    receivedAt: row.received_at,
    record: JSON.parse(row.record_json) as JsonObject,
  };
}
