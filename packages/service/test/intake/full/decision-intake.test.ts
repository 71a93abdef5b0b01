import { createGate, type RiskGateError } from "@riskgate/core";
import { createServiceDecisionLog, type QueuedDecisionLog } from "@riskgate/core/log";
import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeDecisions } from "../../../src/intake/decision-intake.js";
import { createService } from "../../../src/service.js";
import { temporaryDirectory, temporaryStorage } from "../../support/temporary-storage.js";

const SECRET = "a secret of the log, 32 bytes long";
const TOKEN = "admin-token-of-the-tests";
const lookup = createFakeLookup({ "eve@x.com": { risk_score: 75 } });

const RECORD = {
  v: 1,
  at: "2026-03-01T12:00:00.000Z",
  route: "POST /signup",
  outcome: "flag",
  enforced: true,
  because: "score",
  score: 55,
  ip: { state: "scored", score: 55, source: "live", flags: ["is_vpn"], country: "DEU" },
  email: { state: "skipped", why: "absent" },
  policy: { flagAbove: 40, rejectAbove: 80 },
};

async function store() {
  const { storage, clock } = await temporaryStorage();
  const { id } = await storage.applications.create({ name: "Shop" });
  const take = (records: unknown) => takeDecisions(storage.decisions, id, records);
  return { storage, clock, id, take };
}

describe("takeDecisions", () => {
  it("keeps records as they were given, and counts an id once", async () => {
    const { storage, id, take } = await store();
    const first = await take([
      { id: "a", ...RECORD },
      { id: "a", ...RECORD },
      { id: "b", ...RECORD },
    ]);
    expect(first).toMatchObject({ accepted: 2, duplicates: 1, refused: 0 });
    expect(await take([{ id: "b", ...RECORD }])).toMatchObject({ accepted: 0, duplicates: 1 });
    const listed = await storage.decisions.list({ applicationId: id, limit: 10 });
    expect(listed).toMatchObject([
      { id: "b", record: RECORD },
      { id: "a", record: RECORD },
    ]);
  });

  it("keeps members of later versions", async () => {
    const { take } = await store();
    expect(await take([{ ...RECORD, keyboard: "azerty" }])).toMatchObject({ accepted: 1 });
  });

  it("gives an id to what has none", async () => {
    const { take } = await store();
    expect(await take([RECORD, RECORD])).toMatchObject({ accepted: 2, duplicates: 0 });
  });

  it.each<[string, object]>([
    ["another version", { ...RECORD, v: 2 }],
    ["a misspelt member", { ...RECORD, rul: "block-vpn" }],
    ["an id with other characters", { ...RECORD, id: "a b" }],
    ["an id that is no text", { ...RECORD, id: 1 }],
    ["a moment that there is not", { ...RECORD, at: "2026-99-99T12:00:00.000Z" }],
    ["a record that is too large", { ...RECORD, route: "x".repeat(5_000) }],
    ["a list", []],
  ])("refuses %s, and keeps the others", async (_, record) => {
    const { take } = await store();
    const report = await take([record, RECORD]);
    expect(report).toMatchObject({ accepted: 1, refused: 1 });
    expect(report.elements.at(0)).toMatchObject({ state: "refused" });
  });

  it("refuses what is no list", async () => {
    const { take } = await store();
    await expect(take(RECORD)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("lists pages, newest first, and prunes what is old", async () => {
    const { storage, clock, take } = await store();
    await take([1, 2, 3].map((id) => ({ ...RECORD, id: String(id) })));
    const page = await storage.decisions.list({ limit: 2 });
    const beforeSeq = page.at(-1)?.seq ?? 0;
    const next = await storage.decisions.list({ limit: 2, beforeSeq });
    expect([page, next].map((one) => one.map(({ id }) => id))).toEqual([["3", "2"], ["1"]]);
    expect(await storage.prune({ decisionsBefore: clock.now })).toBe(0);
    expect(await storage.prune({ decisionsBefore: clock.now + 1 })).toBe(3);
  });
});

/** What the administration API answers: members that a test asks for. */
interface Answer {
  readonly application: { readonly id: string };
  readonly key: string;
  readonly decisions: readonly unknown[];
  readonly nextBeforeSeq: number | null;
}

describe("createServiceDecisionLog", () => {
  /** A service with an application, and a log that reports to it. */
  async function stage(fetchOf: (call: typeof fetch) => typeof fetch = (call) => call) {
    const service = await createService({
      dataDir: await temporaryDirectory(),
      adminToken: TOKEN,
      dispatch: false,
    });
    onTestFinished(() => service.close());
    const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    const admin = async (path: string, body?: object): Promise<Answer> => {
      const response = await fetch(`${adminUrl}/admin/v1${path}`, {
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Answer;
    };
    const { application } = await admin("/applications", { name: "Shop" });
    const { id } = application;
    const { key } = await admin(`/applications/${id}/keys`, { scope: "report" });
    const errors: string[] = [];
    const log: QueuedDecisionLog = createServiceDecisionLog({
      baseUrl: url,
      reportKey: key,
      secret: SECRET,
      fetch: fetchOf(fetch),
      onError: ({ code }: RiskGateError) => errors.push(code),
    });
    onTestFinished(() => log.close());
    const gate = createGate({ lookup, log });
    return { admin, log, gate, errors, id };
  }

  it("sends decisions to the service, which lists them page by page", async () => {
    const { admin, log, gate, id } = await stage();
    for (let n = 0; n < 3; n++) await gate.decide({ email: "eve@x.com" }, { route: `GET /${n}` });
    await log.flush();
    expect(log.stats()).toMatchObject({ written: 3, dropped: 0 });
    const first = await admin(`/decisions?applicationId=${id}&limit=2`);
    expect(first).toMatchObject({
      decisions: [
        { applicationId: id, record: { route: "GET /2", outcome: "flag", score: 75 } },
        { record: { route: "GET /1" } },
      ],
      nextBeforeSeq: expect.any(Number) as number,
    });
    const next = await admin(`/decisions?limit=2&beforeSeq=${first.nextBeforeSeq}`);
    expect(next).toMatchObject({
      decisions: [{ record: { route: "GET /0" } }],
      nextBeforeSeq: null,
    });
    expect(JSON.stringify([first, next])).not.toContain("eve@");
  });

  it("sends a batch again whose answer was lost, and the service counts it once", async () => {
    let calls = 0;
    const { admin, log, gate, errors } = await stage((call) => async (...args) => {
      const response = await call(...args);
      if (calls++ === 0) throw new TypeError("fetch failed");
      return response;
    });
    await gate.decide({ email: "eve@x.com" });
    await log.flush();
    expect(log.stats()).toMatchObject({ queued: 1, written: 0 });
    await log.flush();
    expect(log.stats()).toMatchObject({ queued: 0, written: 1, dropped: 0 });
    expect(errors).toEqual(["NETWORK"]);
    const { decisions } = await admin("/decisions");
    expect(decisions).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["no address", { baseUrl: undefined }],
    ["no key", { reportKey: "" }],
    ["no secret", { secret: undefined }],
    ["plain http", { baseUrl: "http://risk.example" }],
    ["an unknown option", { retries: 3 }],
  ])("refuses %s", (_, options) => {
    const given = { baseUrl: "https://risk.example", reportKey: "key", secret: SECRET, ...options };
    expect(() => createServiceDecisionLog(given)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
