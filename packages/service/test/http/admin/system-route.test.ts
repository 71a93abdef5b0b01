import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { derivedEntry } from "../../../src/model/derived-entry.js";
import { serveApi } from "../../support/served-api.js";

const SECOND = 1_000_000;

describe("the system route", () => {
  it("shows the process, its clock, and the applications furthest behind first", async () => {
    const { admin, storage, clock, application } = await serveApi();
    const late = await storage.applications.create({ name: "Late" });
    const report = {
      ...derivedEntry({ type: "test", payload: { n: 1 } }),
      type: "counters",
      cause: null,
    } as const;
    const append = (applicationId: string) =>
      storage.log.append([{ applicationId, entries: [report] }]);
    await append(late.id);
    clock.now += 2 * SECOND;
    await append(application.id);
    clock.now += SECOND;
    const owner = `${hostname()}/${process.pid}`;
    expect(await admin("GET", "/system")).toMatchObject({
      status: 200,
      body: {
        self: { memoryBytes: expect.any(Number), node: process.version },
        usage: { databaseBytes: expect.any(Number) },
        processes: [{ name: owner, partitions: 256, clockAheadMs: 0 }],
        applications: [
          { id: late.id, name: "Late", owner, lagMs: 3_000 },
          { id: application.id, owner, lagMs: 1_000 },
        ],
      },
    });
  });
});
