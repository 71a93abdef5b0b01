import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** Sets these locks apart from others in the database; any number that nobody else uses. */
const KIND = 602073;

/**
 * Which applications this process sends for. On PostgreSQL it holds a lock for each, which no other
 * process gets, and which goes with the connection; a data directory has one process, which holds all.
 */
export class ApplicationLocks {
  readonly #held = new Set<string>();
  #holdsAll = false;

  /** Whether nobody else sends for this application now. */
  has(applicationId: string): boolean {
    return this.#holdsAll || this.#held.has(applicationId);
  }

  /** The connection is lost, and with it everything. */
  lose(): void {
    this.#held.clear();
  }

  /** Locks the applications that no other process has locked, and releases all others. */
  async acquire(database: Database, applicationIds: readonly string[]): Promise<void> {
    if (!isPostgres(database)) {
      this.#holdsAll = true;
      return;
    }
    const wanted = new Set(applicationIds);
    const free = [...this.#held].filter((id) => !wanted.has(id));
    // Before the locks are gone, so that nothing is begun meanwhile.
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
