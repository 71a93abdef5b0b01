import type { StoredResponse } from "../model/playbook.js";
import type { PlaybookResponses } from "./incident-store.js";
import type { Playbooks } from "./incident-store.js";
import type { PlaybookSettings, StoredPlaybook } from "../model/playbook.js";
import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock } from "../model/instant.js";
import { randomId } from "../model/random-id.js";
import type { Schema } from "./schema.js";
import type { JsonObject } from "../model/json-object.js";

/** Maximum number of responses in effect that are read. */
const MAX_IN_EFFECT = 10_000;

export function createPlaybooks(database: Database, clock: Clock): Playbooks {
  const find = async (id: string): Promise<StoredPlaybook | undefined> => {
    const row = await database
      .selectFrom("playbooks")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row && playbookOf(row);
  };
  return {
    ...createPlaybookResponses(database),

    async create(applicationId, settings) {
      const row = await database
        .insertInto("playbooks")
        .values({
          ...columnsOf({ enabled: true, ...settings }),
          id: randomId(),
          application_id: applicationId,
          created_at: clock(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return playbookOf(row);
    },
    async list(applicationId) {
      const rows = await database
        .selectFrom("playbooks")
        .selectAll()
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .orderBy("seq")
        .execute();
      return rows.map(playbookOf);
    },
    get: find,
    update: (id, changes) =>
      atomically(database, async (within) => {
        const playbook = await createPlaybooks(within, clock).get(id);
        if (!playbook) return undefined;
        const row = await within
          .updateTable("playbooks")
          .set(columnsOf({ ...playbook, ...changes }))
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return playbookOf(row);
      }),
    async delete(id) {
      const { numDeletedRows } = await database
        .deleteFrom("playbooks")
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function columnsOf(settings: PlaybookSettings): {
  name: string;
  rule_json: string;
  response_json: string;
  enabled: 0 | 1;
} {
  return {
    name: settings.name,
    rule_json: JSON.stringify(settings.rule),
    response_json: JSON.stringify(settings.response),
    enabled: settings.enabled ? 1 : 0,
  };
}

function playbookOf(row: Selectable<Schema["playbooks"]>): StoredPlaybook {
  return {
    id: row.id,
    applicationId: row.application_id,
    name: row.name,
    rule: JSON.parse(row.rule_json) as JsonObject,
    response: JSON.parse(row.response_json) as JsonObject,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
  };
}

function createPlaybookResponses(database: Database): PlaybookResponses {
  return {
    async recordResponse(response) {
      await database
        .insertInto("responses")
        .values({
          id: response.id,
          application_id: response.applicationId,
          playbook_id: response.playbookId,
          subject: response.subject,
          created_at: response.createdAt,
          ends_at: response.endsAt,
          payload_json: JSON.stringify(response.payload),
        })
        .execute();
    },
    async responses(applicationId, limit, { since, until } = {}) {
      const rows = await database
        .selectFrom("responses")
        .selectAll()
        .where("application_id", "=", applicationId)
        .$if(since !== undefined, (query) => query.where("created_at", ">=", since!))
        .$if(until !== undefined, (query) => query.where("created_at", "<=", until!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(responseOf);
    },
    async responsesInEffect(after, applicationId) {
      const rows = await database
        .selectFrom("responses")
        .selectAll()
        .where("ends_at", ">", after)
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .orderBy("seq", "desc")
        .limit(MAX_IN_EFFECT)
        .execute();
      return rows.map(responseOf);
    },
    async lastResponse() {
      const row = await database
        .selectFrom("responses")
        .select("seq")
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.seq ?? 0;
    },
    async responsesBetween(applicationId, after, last, limit) {
      const rows = await database
        .selectFrom("responses")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("seq", ">", after)
        .where("seq", "<=", last)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ seq: row.seq, response: responseOf(row) }));
    },
  };
}

function responseOf(row: Selectable<Schema["responses"]>): StoredResponse {
  return {
    id: row.id,
    applicationId: row.application_id,
    playbookId: row.playbook_id,
    subject: row.subject,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    payload: JSON.parse(row.payload_json) as JsonObject,
  };
}
