import { readdir } from "node:fs/promises";
import { statSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeSnapshot } from "../../src/storage/snapshot.js";
import { storeEvents } from "../support/stored-events.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const EVE = { type: "account", subject: "eve@shop.example" } as const;

async function openShop() {
  const { storage, path, clock } = await temporaryStorage();
  const { id } = await storage.applications.create({ name: "Shop" });
  const report = (name: string) =>
    storeEvents(storage, id, [
      {
        id: name,
        kind: "xss",
        category: "injection",
        occurredAt: clock.now,
        highRisk: true,
        payload: { humanized_description: `Attack by ${EVE.subject}.` },
        about: [EVE],
      },
    ]);
  return { storage, path, report };
}

describe("takeSnapshot", () => {
  it("has what was stored before, in a private file, and is removed afterwards", async () => {
    const { path, report, storage } = await openShop();
    await report("1");
    const { databasePath, release } = await takeSnapshot(path);
    await report("2");
    expect(statSync(databasePath).mode & 0o077).toBe(0);
    const copy = new Libsql(databasePath, { readonly: true });
    const ids = copy.prepare("select event_id from log").all() as { event_id: string }[];
    copy.close();
    expect(ids.map((row) => row.event_id)).toEqual(["1"]);
    await release();
    expect((await readdir(path)).filter((name) => name.startsWith("snapshot"))).toEqual([]);
    expect(await storage.events.list()).toHaveLength(2);
  });

  it("removes what a copy that was killed left", async () => {
    const { path } = await openShop();
    await takeSnapshot(path);
    const { release } = await takeSnapshot(path);
    await release();
    expect((await readdir(path)).filter((name) => name.startsWith("snapshot"))).toEqual([]);
  });
});

describe("an erasure while another process reads", () => {
  it("does not wait for it, and empties the write-ahead log once it has ended", async () => {
    const { storage, path, report } = await openShop();
    await report("1");
    const reader = new Libsql(join(path, "riskgate.db"), { readonly: true });
    onTestFinished(() => void reader.close());
    reader.exec("begin");
    reader.prepare("select count(*) from log").get();
    const walBytes = () => statSync(join(path, "riskgate.db-wal")).size;
    expect(await storage.erase(EVE)).toMatchObject({ events: 1 });
    expect(walBytes()).toBeGreaterThan(0);
    reader.exec("commit");
    await storage.erasePending();
    expect(walBytes()).toBe(0);
  });
});
