import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgresStorage } from "../../../src/storage/open-storage.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";

/** Waiting for a turn is soon given up; whatever else it does is done in a fraction of that. */
const STATEMENT_MS = 250;
const TIMES = { statementMs: STATEMENT_MS, answerMs: 2_000 };

const title = "a turn that is given up as it begins";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("leaves no lock behind", { timeout: 300_000 }, async () => {
    const url = await temporaryDatabase();
    const one = await openPostgresStorage(url);
    const other = await openPostgresStorage(url, { times: TIMES });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(async () => {
      await Promise.all([one.close(), other.close(), client.end()]);
    });
    let givenUp = 0;
    for (let round = 0; round < 80; round++) {
      const endMs = performance.now() + STATEMENT_MS - 1 + (round % 8) / 4;
      // Just when the other one stops waiting for it.
      const first = one.withWriterLock(async () => {
        while (performance.now() < endMs) await new Promise((resolve) => setImmediate(resolve));
      });
      await Promise.all([first, other.withWriterLock(async () => {}).catch(() => givenUp++)]);
      // Of this database: the server shows those of all others as well.
      const { rows } = await client.query<{ held: string }>(
        `select count(*) as held from pg_locks join pg_database on database = pg_database.oid
         where locktype = 'advisory' and granted and datname = current_database()`,
      );
      expect(rows).toEqual([{ held: "0" }]);
    }
    expect(givenUp).toBeGreaterThan(0);
  });
});
