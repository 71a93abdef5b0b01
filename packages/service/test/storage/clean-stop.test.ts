import { appendFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { noteCleanStop, takeCleanStop } from "../../src/storage/clean-stop.js";
import { openStorage } from "../../src/storage/open-storage.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

async function closedStorage(): Promise<string> {
  const path = await temporaryDirectory();
  const storage = await openStorage(path);
  await storage.applications.create({ name: "Shop" });
  await storage.close();
  return join(path, "riskgate.db");
}

it("knows once that a database was closed properly", async () => {
  const file = await closedStorage();
  expect(takeCleanStop(file)).toBe(true);
  expect(takeCleanStop(file)).toBe(false);
});

it("does not trust a database that was changed afterwards, or replaced by a copy", async () => {
  const changed = await closedStorage();
  await appendFile(changed, "x");
  expect(takeCleanStop(changed)).toBe(false);
  const replaced = await closedStorage();
  await rm(replaced);
  await writeFile(replaced, "another file");
  expect(takeCleanStop(replaced)).toBe(false);
});

it("does not trust a database that a process left open", async () => {
  const path = await temporaryDirectory();
  const storage = await openStorage(path);
  expect((await readdir(path)).filter((name) => name.endsWith(".closed"))).toEqual([]);
  await storage.close();
  noteCleanStop(join(path, "missing.db"));
  expect(takeCleanStop(join(path, "missing.db"))).toBe(false);
  const again = await openStorage(path);
  expect(takeCleanStop(join(path, "riskgate.db"))).toBe(false);
  await again.close();
});
