import { describe, expect, it } from "vitest";
import { instantOf } from "../../../src/model/instant.js";
import { document, answerSchema, schemaProblems } from "../../support/openapi-document.js";
import { serveApi, type ServedApi } from "../../support/served-api.js";

const TOR = "185.220.101.1";
const HOSTING = "20.1.2.3";

const schema = () =>
  answerSchema(document.paths["/admin/v1/rehearsal"]?.["get"], 200) ?? { const: "documented" };

const rehearse = async ({ admin }: ServedApi, query: string) => {
  const { status, body } = await admin("GET", `/rehearsal${query}`);
  expect(schemaProblems(schema(), body)).toEqual([]);
  expect(status).toBe(200);
  return body as unknown as Rehearsal;
};

interface Rehearsal {
  readonly lookups: Record<string, unknown> & { readonly scores: { readonly ips: number[] } };
  readonly decisions: Record<string, unknown>;
}

function record(score: number, outcome: string, policy: object = {}): Record<string, unknown> {
  return {
    v: 1,
    at: "2026-03-01T12:00:00.000Z",
    route: "POST /signup",
    outcome,
    enforced: true,
    because: "score",
    score,
    ip: { state: "scored", score, source: "live", flags: ["is_vpn"] },
    email: { state: "skipped", why: "absent" },
    policy: { flagAbove: 40, rejectAbove: 80, ...policy },
  };
}

const log = ({ storage, application }: ServedApi, records: readonly Record<string, never>[]) =>
  storage.decisions.insertNew(
    application.id,
    records.map((one, index) => ({
      id: `d${index}`,
      decidedAt: instantOf(Date.parse("2026-03-01T12:00:00Z")) + index,
      record: one,
    })),
  );

describe("GET /admin/v1/rehearsal", () => {
  it("tries outcomes of flags on decisions", async () => {
    const room = await serveApi();
    const records = [record(10, "allow"), record(10, "allow", { outcomes: { flag: ["tor"] } })];
    await log(room, records as Record<string, never>[]);
    const { decisions } = await rehearse(room, "?reject=tor,vpn");
    expect(decisions).toMatchObject({ tried: { allow: 0, reject: 2 }, changed: 2 });
    const { status } = await room.admin("GET", "/rehearsal?reject=bot");
    expect(status).toBe(400);
  });

  it("decides recent answers by the thresholds given, beside the default ones", async () => {
    const room = await serveApi();
    for (const ip of [TOR, HOSTING, "198.51.100.7"]) await room.get(`/v1/ips/${ip}`);
    const { lookups } = await rehearse(room, "?rejectAbove=50");
    expect(lookups).toMatchObject({
      lookups: 3,
      byDefault: { allow: 2, flag: 1, challenge: 0, reject: 0 },
      tried: { allow: 2, flag: 0, challenge: 0, reject: 1 },
      changed: 1,
      examples: [{ identifier: TOR, type: "ip", score: 60, from: "flag", to: "reject" }],
    });
    expect(lookups.scores.ips[60]).toBe(1);
    expect((await rehearse(room, "?flagAbove=50&challengeAbove=55")).lookups).toMatchObject({
      tried: { allow: 2, flag: 0, challenge: 1, reject: 0 },
    });
    expect((await rehearse(room, "")).lookups).toMatchObject({ changed: 0, examples: [] });
    expect((await rehearse(room, "?applicationId=other")).lookups).toMatchObject({ lookups: 0 });
  });

  it("counts no decisions of a deleted application, and lists none", async () => {
    const room = await serveApi();
    await log(room, [record(50, "flag"), record(90, "reject")] as Record<string, never>[]);
    expect((await rehearse(room, "")).decisions).toMatchObject({ decisions: 2 });
    const deleted = await room.admin("DELETE", `/applications/${room.application.id}`);
    expect(deleted).toEqual({ status: 200, body: { deleted: true } });
    expect((await rehearse(room, "")).decisions).toMatchObject({ decisions: 0 });
    expect((await room.admin("GET", "/decisions")).body).toMatchObject({ decisions: [] });
  });

  it("decides logged decisions again, beside the recorded outcomes", async () => {
    const room = await serveApi();
    await log(room, [
      record(55, "flag"),
      record(75, "flag", { own: true }),
      record(95, "reject"),
      record(45, "allow", { flagAbove: 60 }),
      { v: 2 },
    ] as Record<string, never>[]);
    const { decisions } = await rehearse(room, "?rejectAbove=70");
    expect(decisions).toMatchObject({
      decisions: 4,
      isPartial: false,
      oldestDecidedAt: "2026-03-01T12:00:00.000000+00:00",
      ownPolicy: 1,
      recorded: { allow: 1, flag: 2, challenge: 0, reject: 1 },
      tried: { allow: 1, flag: 1, challenge: 0, reject: 2 },
      changed: 1,
      examples: [
        {
          id: "d1",
          applicationId: room.application.id,
          route: "POST /signup",
          score: 75,
          signals: ["ip is_vpn"],
          from: "flag",
          to: "reject",
        },
      ],
    });
  });

  it("gives no more examples than asked for, the newest", async () => {
    const room = await serveApi();
    await log(room, [50, 60, 70].map((score) => record(score, "flag")) as Record<string, never>[]);
    const { decisions } = await rehearse(room, "?rejectAbove=45&limit=2");
    expect(decisions).toMatchObject({ changed: 3, examples: [{ id: "d2" }, { id: "d1" }] });
  });

  it("takes the newest 10,000 decisions, and says that there are more", async () => {
    const room = await serveApi();
    const some = Array.from({ length: 10_001 }, () => record(50, "flag"));
    await log(room, some as Record<string, never>[]);
    const { decisions } = await rehearse(room, "?flagAbove=60");
    expect(decisions).toMatchObject({ decisions: 10_000, isPartial: true, changed: 10_000 });
  });

  it.each([
    ["?flagAbove=101", "`flagAbove` must be"],
    ["?flagAbove=4.5", "`flagAbove` must be"],
    ["?flagAbove=60&rejectAbove=50", "at most `rejectAbove`"],
    ["?flagAbove=", "`flagAbove` must be"],
  ])("refuses %s", async (query, reason) => {
    const { admin } = await serveApi();
    const { status, body } = await admin("GET", `/rehearsal${query}`);
    expect([status, body["details"]]).toEqual([400, expect.stringContaining(reason)]);
  });
});
