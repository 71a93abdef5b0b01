import { describe, expect, it } from "vitest";
import { instantOf } from "../../../src/model/instant.js";
import { serveApi, type ServedApi } from "../../support/served-api.js";
import { storeEvents } from "../../support/stored-events.js";

const TOR = "185.220.101.1";
const HOSTING = "20.1.2.3";
const MAIL = "ada@mailinator.test";

const NO_TOR = { name: "no Tor", when: { flags: { all: ["is_tor"] } }, outcome: "reject" };
const OURS = { name: "ours", when: { domain: ["mailinator.test"] }, outcome: "allow" };

const keep = async ({ storage, application, clock }: ServedApi, ids: readonly string[]) =>
  storeEvents(
    storage,
    application.id,
    ids.map((id) => ({
      id,
      kind: "xss",
      category: "injection",
      occurredAt: clock.now,
      highRisk: false,
      payload: {
        event_kind: "xss",
        ips: [{ address: TOR }, { address: HOSTING }],
        application_account_account_keys: [
          { name: "email", value: MAIL },
          { name: "username", value: "ada" },
        ],
      },
    })),
  );

describe("POST /admin/v1/rules/check", () => {
  it("counts the rules of a text without a mistake", async () => {
    const { admin } = await serveApi();
    const text = JSON.stringify({ rules: [NO_TOR, OURS] });
    const { status, body } = await admin("POST", "/rules/check", { text });
    expect({ status, body }).toEqual({ status: 200, body: { count: 2, problems: [] } });
  });

  it("names each mistake with its pointer, line and column", async () => {
    const { admin } = await serveApi();
    const text = JSON.stringify(
      { rules: [{ ...NO_TOR, when: { country: ["XX"], path: ["/a"] } }] },
      null,
      2,
    );
    const { body } = await admin("POST", "/rules/check", { text });
    expect(body).toMatchObject({
      count: 0,
      problems: [
        { pointer: "/rules/0/when/country/0", line: 7, column: 11 },
        { pointer: "/rules/0/when/path", reason: expect.stringContaining("write this rule for") },
      ],
    });
    const broken = await admin("POST", "/rules/check", { text: '{"rules": [' });
    expect(broken.body).toMatchObject({ problems: [{ line: 1, pointer: "" }] });
    expect((await admin("POST", "/rules/check", {})).status).toBe(400);
  });
});

describe("POST /admin/v1/rules/dry-run", () => {
  it("tries rules on the addresses and emails of recent events, each once, beside the rules in use", async () => {
    const room = await serveApi();
    await room.admin("PUT", "/rules", { rules: [OURS] });
    await keep(room, ["one", "two"]);
    const { status, body } = await room.admin("POST", "/rules/dry-run", { rules: [NO_TOR] });
    expect(status).toBe(200);
    expect(body).toEqual({
      since: expect.any(String),
      events: 2,
      isPartial: false,
      addresses: 2,
      emails: 1,
      changed: 2,
      rules: [{ name: "no Tor", holds: 1 }],
      examples: [
        { type: "ip", identifier: TOR, from: 60, to: 81, fromRule: null, toRule: "no Tor" },
        { type: "email", identifier: MAIL, from: 40, to: 50, fromRule: "ours", toRule: null },
      ],
    });
    expect((await room.admin("GET", "/rules")).body).toEqual({ rules: [OURS] });
  });

  it("goes back as many days as asked for, and passes over what was erased", async () => {
    const room = await serveApi();
    await keep(room, ["old"]);
    room.clock.now += instantOf(3 * 86_400_000);
    const changedIn = async (days: number) =>
      (await room.admin("POST", "/rules/dry-run", { rules: [NO_TOR], days })).body["changed"];
    expect([await changedIn(2), await changedIn(4)]).toEqual([0, 1]);
    await room.storage.erase({ type: "ip", subject: TOR });
    expect(await changedIn(4)).toBe(0);
  });

  it.each([
    [{ rules: [{ ...NO_TOR, outcome: "challenge" }] }, "/rules/0/outcome"],
    [{ rules: [NO_TOR], days: 0 }, "`days` must be"],
    [undefined, "the operator rules are not valid"],
    [[], "the body"],
  ])("refuses %j", async (given, reason) => {
    const { admin } = await serveApi();
    const { status, body } = await admin("POST", "/rules/dry-run", given);
    expect([status, body["details"]]).toEqual([400, expect.stringContaining(reason)]);
  });
});
