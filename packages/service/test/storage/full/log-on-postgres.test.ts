import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { packOutbox } from "../../../src/dispatch/pack-outbox.js";
import { derivedEntry } from "../../../src/model/derived-entry.js";
import { systemClock } from "../../../src/model/instant.js";
import type { NewLogEntry } from "../../../src/model/log-entry.js";
import type { Database } from "../../../src/storage/database.js";
import { singleClock } from "../../../src/storage/database-clock.js";
import { createStorage } from "../../../src/storage/create-storage.js";
import { Leases } from "../../../src/storage/leases.js";
import { createLog } from "../../../src/storage/log.js";
import type { Log } from "../../../src/storage/log-store.js";
import { openPostgresStorage, openPostgresTables } from "../../../src/storage/open-storage.js";
import type { Storage } from "../../../src/storage/storage.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";

const reported = (n: number): NewLogEntry => ({
  ...derivedEntry({ type: "test", payload: { n } }),
  cause: null,
});
const derived = (n: number): NewLogEntry => derivedEntry({ type: "test", payload: { n } });

/** Two processes on one database, with an application that has an endpoint. */
async function twoProcesses() {
  const url = await temporaryDatabase();
  const [one, other] = [await openPostgresStorage(url), await openPostgresStorage(url)];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
  });
  const webhookUrl = "https://hooks.example/security";
  const { id } = await one.applications.create({ name: "shop", webhookUrl });
  return { one, other, id };
}

/** A promise that is resolved from outside. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/** A transaction that waits before it ends. */
function held(storage: Storage, work: (inner: Storage) => Promise<unknown>) {
  const [worked, ending] = [signal(), signal()];
  const done = storage.transaction(async (inner) => {
    await work(inner);
    worked.give();
    await ending.given;
  });
  return { ready: worked.given, done, end: ending.give };
}

const numbersIn = (entries: readonly { readonly payload: string }[]) =>
  entries.map(({ payload }) => (JSON.parse(payload) as { n: number }).n);

const title = "the log of several processes";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("numbers the entries of an application in the order of the commits", async () => {
    const { one, other, id } = await twoProcesses();
    const append = (storage: Storage, n: number) =>
      storage.log.append([{ applicationId: id, entries: [reported(n)] }]);
    const first = held(one, (inner) => append(inner, 1));
    await first.ready;
    let isSecondStored = false;
    const second = append(other, 2).then(() => (isSecondStored = true));
    // The other one could be stored before, if it did not wait.
    await other.applications.create({ name: "forum" });
    expect(isSecondStored).toBe(false);
    expect(await other.log.read(id, 0, 9)).toEqual([]);
    first.end();
    await Promise.all([first.done, second]);
    expect(numbersIn(await one.log.read(id, 0, 9))).toEqual([1, 2]);
  });

  it("is complete up to each entry that a reader sees, while many append", async () => {
    const { one, other, id } = await twoProcesses();
    let isAppending = true;
    const seen: number[] = [];
    const reading = (async () => {
      for (let last = 0; ;) {
        const isLast = !isAppending;
        const entries = await one.log.read(id, last, 9_999);
        seen.push(...entries.map(({ seq }) => seq));
        last = seen.at(-1) ?? 0;
        if (isLast && entries.length === 0) return;
      }
    })();
    const seqs: (number | undefined)[] = [];
    for (let round = 0; round < 30; round++) {
      const stored = await Promise.all(
        [one, other, one, other].map(({ log }) =>
          log.append([{ applicationId: id, entries: [reported(round), reported(round)] }]),
        ),
      );
      seqs.push(...stored.flatMap(([own]) => own ?? []));
    }
    isAppending = false;
    await reading;
    expect(seen).toEqual(seqs.toSorted((a, b) => a! - b!));
  });

  it("delivers what is reported before something that was derived, and committed after it", async () => {
    const { one, other, id } = await twoProcesses();
    const reporting = held(one, (inner) =>
      inner.log.append([{ applicationId: id, entries: [reported(1)] }]),
    );
    await reporting.ready;
    await other.log.derive(id, [derived(2)]);
    const packing = packOutbox(other, id, () => true);
    // Goes on only after the report, or at once if it does not wait for it.
    await Promise.race([packing, other.revisions()]);
    reporting.end();
    await Promise.all([reporting.done, packing]);
    await packOutbox(other, id, () => true);
    const made = await one.deliveries.list();
    const bodies = await Promise.all(
      made.toReversed().map((delivery) => one.deliveries.bodyOf(delivery.id)),
    );
    const sent = bodies.flatMap(
      (body) => JSON.parse(Buffer.from(body ?? []).toString()) as { n: number }[],
    );
    expect(sent.map(({ n }) => n)).toEqual([1, 2]);
  });

  it("delivers what is derived before something that was reported, and committed after it", async () => {
    const { one, other, id } = await twoProcesses();
    const { detection: revision } = await one.revisions();
    const detecting = held(one, async (inner) => {
      expect(await inner.log.move(id, "detection", { from: 0, to: 0, version: 0, revision })).toBe(
        true,
      );
      await inner.log.derive(id, [derived(1)]);
    });
    await detecting.ready;
    // A report does not wait for a detection.
    await other.log.append([{ applicationId: id, entries: [reported(2)] }]);
    const packing = packOutbox(other, id, () => true);
    await Promise.race([packing, other.revisions()]);
    detecting.end();
    await Promise.all([detecting.done, packing]);
    const [delivery] = await one.deliveries.list();
    const body = Buffer.from((await one.deliveries.bodyOf(delivery?.id ?? "")) ?? []).toString();
    expect(body).toBe('[{"n":1},{"n":2}]');
  });

  it("lets one of two owners move on, and an erasure stop the one that does not know of it", async () => {
    const { one, other, id } = await twoProcesses();
    const { detection: revision } = await one.revisions();
    const step = { from: 0, to: 1, version: 0, revision };
    const first = held(one, (inner) => inner.log.move(id, "detection", step));
    await first.ready;
    const second = other.transaction((inner) => inner.log.move(id, "detection", step));
    first.end();
    expect(await second).toBe(false);
    await first.done;
    expect(await one.log.position(id, "detection")).toBe(1);

    const next = { from: 1, to: 2, version: 1, revision };
    const moving = held(one, (inner) => inner.log.move(id, "detection", next));
    await moving.ready;
    let isErased = false;
    const erasing = other.erase({ type: "ip", subject: "192.0.2.1" }).then(() => (isErased = true));
    await one.revisions();
    // It waits for a detection under way, which it must see.
    expect(isErased).toBe(false);
    moving.end();
    await Promise.all([moving.done, erasing]);
    expect(await other.log.move(id, "detection", { from: 2, to: 3, version: 2, revision })).toBe(
      false,
    );
  });

  it("reads the next entries without those that wait behind them, or that were read before", async () => {
    const clock = singleClock(systemClock);
    const database = await openPostgresTables(await temporaryDatabase(), clock);
    onTestFinished(() => database.destroy());
    const leases = new Leases(() => 0);
    const { applications, log } = createStorage({ database }, clock, leases);
    const { id } = await applications.create({ name: "shop" });
    const entries = Array.from({ length: 2_000 }, (_, n) => reported(n));
    await log.append([{ applicationId: id, entries }]);
    await log.skip(id, "detection");
    await log.append([{ applicationId: id, entries }]);
    const from = await log.position(id, "detection");
    const fetched = async (within: Database): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select sum(seq_tup_read + idx_tup_fetch)::bigint as count
        from pg_stat_xact_user_tables where relname like 'log%'
      `.execute(within);
      return rows.reduce((sum, { count }) => sum + count, 0);
    };
    const rowsFor = (work: (log: Log) => Promise<unknown>) =>
      database.transaction().execute(async (within) => {
        const before = await fetched(within);
        await work(createLog(within, systemClock));
        return (await fetched(within)) - before;
      });
    expect(await rowsFor((inner) => inner.read(id, from, 10))).toBeLessThanOrEqual(11);
    expect(await rowsFor((inner) => inner.lag())).toBeLessThanOrEqual(4);
  });
});
