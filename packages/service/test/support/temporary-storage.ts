import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { derivedEntry } from "../../src/model/derived-entry.js";
import type { StoredDelivery } from "../../src/model/delivery.js";
import type { Instant } from "../../src/model/instant.js";
import {
  openPostgresStorage,
  openStorage,
  type StorageOptions,
} from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import {
  createDatabase,
  dropDatabase,
  temporaryDatabase,
} from "../../../../tools/test/postgres.js";

/** Where the storages of the tests are; `on-postgres.test.ts` runs tests of SQLite again. */
export const engine = { name: "sqlite" as "sqlite" | "postgres" };

/** A directory that goes with the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "riskgate-storage-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A clock that stands until it is set. */
export interface SetClock {
  now: Instant;
  /** Monotonic, in milliseconds; goes with `now` unless it is set. */
  nowMs?: number;
}

/** A place for a storage, which can be opened there again and again, and goes with the test. */
export interface StoragePlace {
  /** Directory, which has nothing in it where the storage is on PostgreSQL. */
  readonly path: string;
  open(this: void, options?: StorageOptions): Promise<Storage>;
}

/** A database with empty tables: copying it takes half as long as creating them. */
let template: Promise<string> | undefined;

async function migratedDatabase(): Promise<string> {
  const database = await createDatabase();
  const storage = await openPostgresStorage(database);
  await storage.close();
  return database;
}

afterAll(async () => {
  if (template) await dropDatabase(await template);
});

/** An empty place. */
export async function storagePlace(): Promise<StoragePlace> {
  const path = await temporaryDirectory();
  if (engine.name === "sqlite") return { path, open: (options) => openStorage(path, options) };
  const database = await temporaryDatabase(await (template ??= migratedDatabase()));
  return {
    path,
    open: ({ clock, nowMs } = {}) =>
      openPostgresStorage(database, { ...(clock && { clock }), ...(nowMs && { nowMs }) }),
  };
}

/** A storage in a place of its own, both of which go with the test. */
export async function temporaryStorage(
  options: Omit<StorageOptions, "clock"> = {},
): Promise<{ storage: Storage; clock: SetClock; path: string }> {
  const { path, open } = await storagePlace();
  const clock: SetClock = { now: 1_700_000_000_000_000 };
  const nowMs = (): number => clock.nowMs ?? clock.now / 1000;
  const storage = await open({ ...options, clock: () => clock.now, nowMs });
  onTestFinished(() => storage.close());
  return { storage, clock, path };
}

/** Put one delivery into the queue. */
export async function makeDelivery(
  storage: Storage,
  applicationId: string,
  body: Uint8Array = Buffer.from("[]"),
): Promise<StoredDelivery> {
  const seqs = await appendBody(storage, applicationId, body);
  const [delivery] = await storage.deliveries.create(applicationId, [{ body, seqs }]);
  if (!delivery) throw new Error("no delivery was made");
  return delivery;
}

/** Appends the payloads of a body to the log, as if they were already in a delivery. */
async function appendBody(
  storage: Storage,
  applicationId: string,
  body: Uint8Array,
): Promise<readonly number[]> {
  const text = Buffer.from(body).toString("utf8").slice(1, -1);
  if (text === "") return [];
  const entry = { ...derivedEntry({ type: "test", payload: {} }), payload: text };
  const from = await storage.log.position(applicationId, "delivery");
  const [seqs] = await storage.log.append([{ applicationId, entries: [entry] }]);
  const added = (seqs ?? []).flatMap((seq) => seq ?? []);
  await storage.outbox.pass(applicationId, from, added[0] ?? 0);
  return added;
}
