import { createReporter } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeLabels } from "../../../src/intake/label-intake.js";
import { createService } from "../../../src/service.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { temporaryDirectory, temporaryStorage } from "../../support/temporary-storage.js";

const TOKEN = "admin-token-of-the-tests";
const DIGEST = "6f0c2f4c8a0d4be19d1b1f0f6ad1a3b7";

interface Labelled {
  readonly rehearsed: { readonly stopped: object };
  readonly outcomes: readonly object[];
}

async function store() {
  const { storage, clock } = await temporaryStorage();
  const { id } = await storage.applications.create({ name: "Shop" });
  const take = (labels: unknown) => takeLabels(storage.labels, id, labels, clock.now);
  const list = async (about: "decision" | "account") =>
    (await storage.labels.list({ about, limit: 10 })).map(({ target, label }) => [target, label]);
  return { storage, clock, id, take, list };
}

const at = (second: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString();

describe("takeLabels", () => {
  it("stores the latest label, whatever the order in which labels arrive", async () => {
    const { take, list } = await store();
    const one = { decisionId: "a", label: "fraud", at: at(2) };
    expect(await take([one])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await take([one])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await take([{ ...one, label: "legitimate", at: at(1) }])).toMatchObject({
      duplicates: 1,
    });
    expect(await list("decision")).toEqual([["a", "fraud"]]);
    const later = [
      { ...one, at: at(3) },
      { ...one, label: "legitimate", at: at(4) },
    ];
    expect(await take(later)).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await list("decision")).toEqual([["a", "legitimate"]]);
  });

  it("counts all spellings of a mailbox as one account, and stores its digest", async () => {
    const { storage, take, list } = await store();
    await take([{ account: "Ada+news@shop.example", digest: DIGEST, label: "fraud", at: at(1) }]);
    await take([{ account: "ada@shop.example", label: "legitimate", at: at(2) }]);
    expect(await list("account")).toEqual([["ada@shop.example", "legitimate"]]);
    const [stored] = await storage.labels.list({ about: "account", limit: 1 });
    expect(stored?.digest).toBe(DIGEST);
  });

  it.each<[unknown, string]>([
    [{ decisionId: "a" }, "`label` is missing"],
    [{ decisionId: "a", label: "fraudd" }, "did you mean fraud?"],
    [{ label: "fraud" }, "`decisionId` must be given if `account` is missing"],
    [{ decisionId: "a", account: "b", label: "fraud" }, "`account` must be omitted"],
    [{ decisionId: "a", digest: DIGEST, label: "fraud" }, "`digest` must be omitted"],
    [{ decisionId: "a b", label: "fraud" }, "`decisionId` must be 1 to 64 letters"],
    [{ account: "x".repeat(321), label: "fraud" }, "`account` must be an account identifier"],
    [{ account: "b", digest: "zz", label: "fraud" }, "`digest` must be 32 hex digits"],
    [{ decisionId: "a", label: "fraud", at: "2999-01-01T00:00:00Z" }, "not in the future"],
    [{ decision: "a", label: "fraud" }, "did you mean `decisionId`?"],
    ["a", "a label must be an object"],
  ])("refuses %j, and stores the others", async (label, reason) => {
    const { take, list } = await store();
    const report = await take([label, { decisionId: "good", label: "fraud" }]);
    expect(report).toMatchObject({ accepted: 1, refused: 1 });
    expect(report.elements[0]).toMatchObject({ reason: expect.stringContaining(reason) as string });
    expect(await list("decision")).toEqual([["good", "fraud"]]);
  });

  it("deletes the labels of an erased account, of a deleted application, and old ones", async () => {
    const { storage, clock, id, take, list } = await store();
    await take([
      { account: "ada+news@shop.example", label: "fraud" },
      { account: "bob@shop.example", label: "fraud" },
      { decisionId: "a", label: "fraud" },
    ]);
    const erased = await storage.erase({ type: "account", subject: "ada@shop.example" });
    expect(erased).toMatchObject({ labels: 1 });
    expect(await list("account")).toEqual([["bob@shop.example", "fraud"]]);
    expect(await storage.prune({ decisionsBefore: clock.now })).toBe(0);
    expect(await storage.prune({ decisionsBefore: clock.now + 1 })).toBe(2);
    await take([{ decisionId: "a", label: "fraud" }]);
    await storage.applications.delete(id);
    expect(await list("decision")).toEqual([]);
  });
});

describe("reporter.label", () => {
  it.each(hasPostgres ? ["SQLite", "PostgreSQL"] : ["SQLite"])(
    "labels decisions and accounts on %s",
    async (database) => {
      const service = await createService({
        ...(database === "SQLite"
          ? { dataDir: await temporaryDirectory() }
          : { database: await temporaryDatabase() }),
        adminToken: TOKEN,
        dispatch: false,
      });
      onTestFinished(() => service.close());
      const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
      const admin = async <T>(path: string, body?: object): Promise<T> => {
        const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
          method: body ? "POST" : "GET",
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
        return (await answer.json()) as T;
      };
      const made = await admin<{ application: { id: string } }>("/applications", { name: "Shop" });
      const { id } = made.application;
      const { key } = await admin<{ key: string }>(`/applications/${id}/keys`, { scope: "report" });
      const dropped: string[] = [];
      const reporter = createReporter({
        baseUrl: url,
        reportKey: key,
        onDrop: ({ error }) => dropped.push(error.message),
      });
      const account = "ada@shop.example";
      reporter.label({ decisionId: "d1", label: "legitimate" });
      reporter.label({ decisionId: "d1", label: "fraud" });
      reporter.label({ account, label: "fraud" });
      reporter.label({ account, decisionId: "d1", label: "fraud" });
      await reporter.close();
      expect(dropped).toEqual(["`account` must be omitted with `decisionId`, given another text"]);
      expect(reporter.stats()).toMatchObject({
        accepted: 2,
        duplicates: 1,
        refused: 1,
        dropped: 0,
      });
      const record = {
        v: 1,
        id: "d1",
        at: "2026-03-01T12:00:00.000Z",
        route: null,
        outcome: "flag",
        enforced: true,
        because: "score",
        score: 55,
        ip: { state: "skipped", why: "absent" },
        email: { state: "scored", score: 55, source: "live", flags: [], digest: DIGEST },
        policy: { flagAbove: 40, rejectAbove: 80 },
      };
      await fetch(`${url}/v1/reports/decisions`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify([record, { ...record, id: "d2" }]),
      });
      expect(await admin("/decisions")).toMatchObject({
        decisions: [
          { id: "d2", label: null },
          { id: "d1", label: "fraud" },
        ],
      });
      expect(await admin(`/subject?account=${account}`)).toMatchObject({
        labels: [{ applicationId: id, label: "fraud" }],
      });
      const labelled = async () =>
        (await admin<{ decisions: { labelled: Labelled } }>("/rehearsal?flagAbove=40")).decisions
          .labelled;
      // d1 has a label; that of the account has no digest, so d2 has none.
      expect(await labelled()).toMatchObject({ fraud: 1, legitimate: 0, best: null });
      expect((await labelled()).rehearsed.stopped).toEqual({ precision: 1, recall: 1 });
      await admin(`/applications/${id}/labels`, [{ account, digest: DIGEST, label: "legitimate" }]);
      const after = await labelled();
      expect(after).toMatchObject({ fraud: 1, legitimate: 1 });
      expect(after.rehearsed.stopped).toEqual({ precision: 0.5, recall: 1 });
      expect(after.outcomes[1]).toMatchObject({ outcome: "flag", rehearsed: { precision: 0.5 } });
      expect(await admin(`/subject?account=${account}`)).toMatchObject({
        labels: [{ applicationId: id, label: "legitimate" }],
      });
    },
  );
});
