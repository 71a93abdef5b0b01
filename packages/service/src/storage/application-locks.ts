import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** Namespace of these advisory locks: an arbitrary number that nobody else uses. */
const KIND = 602073;

/**
 * The applications whose deliveries this process sends. On PostgreSQL the process holds an exclusive
 * lock for each of them, which the server releases when the connection closes. A data directory has
 * only one process, which holds all locks.
 */
export class ApplicationLocks {
  readonly #held = new Set<string>();
  #holdsAll = false;

  has(applicationId: string): boolean {
    return this.#holdsAll || this.#held.has(applicationId);
  }

  lose(): void {
    this.#held.clear();
  }

  async acquire(database: Database, applicationIds: readonly string[]): Promise<void> {
    if (!isPostgres(database)) {
      this.#holdsAll = true;
      return;
    }
    const wanted = new Set(applicationIds);
    const free = [...this.#held].filter((id) => !wanted.has(id));
    // Before the locks are released, so that no delivery starts in between.
    for (const id of free) this.#held.delete(id);
    if (free.length > 0) {
      await sql`
        select pg_advisory_unlock(${KIND}, hashtext(id)) from unnest(${free}::text[]) as id
      `.execute(database);
    }
    const missing = applicationIds.filter((id) => !this.#held.has(id));
    if (missing.length === 0) return;
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${missing}::text[]) as id where pg_try_advisory_lock(${KIND}, hashtext(id))
    `.execute(database);
    for (const { id } of rows) this.#held.add(id);
  }
}
