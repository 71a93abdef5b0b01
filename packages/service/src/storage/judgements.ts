import type { Selectable } from "kysely";
import { atomicallyUnsynced } from "./atomically.js";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";

/** Accepted events whose accounts are still to be judged by their scores. */
export interface StoredJudgement {
  /** Position among the judgements of all applications; the order in which they are due. */
  readonly seq: number;
  readonly applicationId: string;
  /** In the order in which they were reported. */
  readonly eventIds: readonly string[];
}

/** What accepted events still have to lead to. */
export interface Judgements {
  /** @returns The `seq` of the judgement. */
  add(applicationId: string, eventIds: readonly string[]): Promise<number>;
  /** Oldest first. */
  list(): Promise<readonly StoredJudgement[]>;
  /**
   * Remove one that is done. Outside of a transaction this does not wait for the disk: after a power
   * failure it is due again.
   */
  remove(seq: number): Promise<void>;
}

/** Creates the judgements in a database. */
export function createJudgements(database: Database): Judgements {
  return {
    async add(applicationId, eventIds) {
      const { seq } = await database
        .insertInto("judgements")
        .values({ application_id: applicationId, event_ids_json: JSON.stringify(eventIds) })
        .returning("seq")
        .executeTakeFirstOrThrow();
      return seq;
    },
    async list() {
      const rows = await database.selectFrom("judgements").selectAll().orderBy("seq").execute();
      return rows.map(judgementOf);
    },
    remove: (seq) =>
      atomicallyUnsynced(
        database,
        async (within) => {
          await within.deleteFrom("judgements").where("seq", "=", seq).execute();
        },
        "reports",
      ),
  };
}

function judgementOf(row: Selectable<Schema["judgements"]>): StoredJudgement {
  return {
    seq: row.seq,
    applicationId: row.application_id,
    eventIds: JSON.parse(row.event_ids_json) as string[],
  };
}
