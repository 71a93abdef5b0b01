import { createBlockList, parseDelivery, type SecurityResponse } from "@riskgate/core";
import { formatTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import { MINUTE, type OpenIntake, openIntake, START } from "../../support/open-intake.js";

type Members = Readonly<Record<string, unknown>>;

const account = (value: string, name = "email") => ({
  application_account_account_keys: [{ name, value }],
});
const event = (event_kind: string, ip: string, members: Members = {}) => ({
  event_kind,
  ips: [ip],
  ...members,
});

async function playbook(open: OpenIntake, rule: Members, response: Members = {}) {
  return open.storage.playbooks.create(open.applicationId, { name: "Block", rule, response });
}

/** Responses that follow from some events. */
async function responsesTo(open: OpenIntake, events: readonly Members[]) {
  await open.intake.report(open.applicationId, events);
  return (await open.payloads()).responses;
}

const networks = (response?: SecurityResponse) => response?.properties.ips.map((ip) => ip.ip_cidr);
const identifiers = (response?: SecurityResponse) => response?.properties.user_identifiers;

describe("a playbook", () => {
  it("counts the spellings of one mailbox as one account, and names what was reported", async () => {
    const open = await openIntake();
    await playbook(
      open,
      { kinds: ["xss"], count: 2, per: "account" },
      { addresses: false, accounts: "all" },
    );
    expect(await responsesTo(open, [event("xss", "8.8.8.8", account("Eve@x.com"))])).toEqual([]);
    const [response] = await responsesTo(open, [event("xss", "9.9.9.9", account("eve+1@x.com"))]);
    expect(identifiers(response)).toEqual([{ email: "Eve@x.com" }, { email: "eve+1@x.com" }]);
  });

  it("answers with addresses, identifiers and a duration, in the form of the specification", async () => {
    const open = await openIntake();
    const { id } = await playbook(open, { kinds: ["xss"] }, { durationMs: 900_000 });
    const responses = await responsesTo(open, [
      event("xss", "8.8.8.8", account("mallory@shop.example")),
    ]);
    expect(responses).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        service_payload_type: "security_response",
        date_created: formatTimestamp(START),
        application: { name: "Shop", environment: "production", id: open.applicationId },
        properties: {
          ips: [{ ip_cidr: "8.8.8.8/32" }],
          user_identifiers: [{ email: "mallory@shop.example" }],
          duration_seconds: 900,
        },
        playbook: { name: "Block", id },
      },
    ]);
    const { elements, ignored } = parseDelivery(Buffer.from(JSON.stringify(responses)));
    expect(ignored).toEqual([]);
    expect(elements).toMatchObject([{ payload: responses[0], dropped: [] }]);
    const recorded = await open.storage.playbooks.responses(open.applicationId, 10);
    expect(recorded).toMatchObject([{ playbookId: id, endsAt: START + 15 * MINUTE }]);
  });

  it("has a receiver block for its duration", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["xss"] }, { durationMs: 900_000 });
    const responses = await responsesTo(open, [
      event("xss", "2a00:1:2:3::4", account("mallory@shop.example")),
    ]);
    let nowMs = 0;
    const list = createBlockList({ now: () => nowMs });
    for (const response of responses) list.apply(response);
    nowMs = 899_999;
    expect(list.blocksIp("2a00:1:2:3:ffff::1")).toBe(true);
    expect(list.blocksEmail("mallory@shop.example")).toBe(true);
    nowMs = 900_000;
    expect(list.blocksIp("2a00:1:2:3:ffff::1")).toBe(false);
    expect(list.blocksEmail("mallory@shop.example")).toBe(false);
  });

  it.each([
    [
      "address",
      [
        ["8.8.8.8", "a"],
        ["1.1.1.1", "a"],
      ],
      [["8.8.8.8", "b"]],
      ["8.8.8.8/32"],
    ],
    [
      "account",
      [
        ["8.8.8.8", "a"],
        ["8.8.8.8", "b"],
      ],
      [["1.1.1.1", "a"]],
      ["8.8.8.8/32", "1.1.1.1/32"],
    ],
    ["application", [["8.8.8.8", "a"]], [["1.1.1.1", "b"]], ["8.8.8.8/32", "1.1.1.1/32"]],
    [
      "address",
      [
        ["2a00::1", "a"],
        ["2a00:0:0:1::1", "a"],
      ],
      [["2a00::2", "b"]],
      ["2a00::/64"],
    ],
  ])("counts by %s: %j are too few, with %j they are enough", async (per, few, more, named) => {
    const open = await openIntake();
    await playbook(open, { kinds: ["scan"], count: 2, per });
    const scans = (pairs: string[][]) =>
      pairs.map(([ip = "", login = ""]) => event("scan", ip, account(login, "login")));
    expect(await responsesTo(open, scans(few))).toEqual([]);
    expect((await responsesTo(open, scans(more))).map((one) => networks(one))).toEqual([named]);
  });

  it("names no address that has not reached the count itself", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["scan"], count: 2 });
    const events = [{ event_kind: "scan", ips: ["8.8.8.8", "1.1.1.1"] }, event("scan", "8.8.8.8")];
    const responses = await responsesTo(open, events);
    expect(responses.map((one) => networks(one))).toEqual([["8.8.8.8/32"]]);
  });

  it("counts within its window alone", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["scan"], count: 2, windowMs: 60_000 });
    expect(await responsesTo(open, [event("scan", "8.8.8.8")])).toEqual([]);
    open.clock.now += MINUTE;
    expect(await responsesTo(open, [event("scan", "8.8.8.8")])).toEqual([]);
    open.clock.now += MINUTE - 1;
    expect(await responsesTo(open, [event("scan", "8.8.8.8")])).toHaveLength(1);
  });

  it("blocks nobody for what was long ago", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["xss"] });
    const date_occurred = formatTimestamp(START - 10 * MINUTE);
    expect(await responsesTo(open, [event("xss", "8.8.8.8", { date_occurred })])).toEqual([]);
  });

  it("does not name anybody again before its end, and others at once", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["xss"] });
    await responsesTo(open, [event("xss", "8.8.8.8")]);
    open.clock.now += 60 * MINUTE - 1;
    const [second] = await responsesTo(open, [event("xss", "8.8.8.8"), event("xss", "1.1.1.1")]);
    expect(networks(second)).toEqual(["1.1.1.1/32"]);
    open.clock.now += 1;
    expect(await responsesTo(open, [event("xss", "8.8.8.8")])).toHaveLength(1);
  });

  it("remembers over a restart what it counted and whom it named", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["scan"], count: 2 });
    const twice = [event("scan", "8.8.8.8"), event("scan", "8.8.8.8")];
    expect(await responsesTo(open, [...twice, event("scan", "1.1.1.1")])).toHaveLength(1);
    const restarted = { ...open, intake: open.restart() };
    const responses = await responsesTo(restarted, [...twice, event("scan", "1.1.1.1")]);
    expect(responses.map((one) => networks(one))).toEqual([["1.1.1.1/32"]]);
  });

  it.each([
    ["acting", [{ email: "eve@shop.example" }, { email: "mallory@shop.example" }]],
    ["none", []],
    [
      "all",
      [
        { email: "ada@shop.example" },
        { email: "eve@shop.example" },
        { email: "mallory@shop.example" },
      ],
    ],
  ])("names accounts: %s", async (accounts, expected) => {
    const open = await openIntake();
    const kinds = ["auth_bruteforce", "auth_bruteforce_success", "xss"];
    await playbook(open, { kinds }, { accounts });
    const [response] = await responsesTo(open, [
      event("auth_bruteforce", "8.8.8.1", account("ada@shop.example")),
      event("auth_bruteforce_success", "8.8.8.2", account("eve@shop.example")),
      event("xss", "8.8.8.3", account("mallory@shop.example")),
    ]);
    expect(identifiers(response)).toEqual(expected);
    expect(networks(response)).toEqual(["8.8.8.1/32", "8.8.8.2/32", "8.8.8.3/32"]);
  });

  it.each([
    [false, ["203.0.113.7/32", "2001:db8::/64"]],
    [
      true,
      "10.1.2.3/32 127.0.0.1/32 ::/64 fd00::/64 64:ff9b:1::/64 2001:0:1::/64 203.0.113.7/32 2001:db8::/64".split(
        " ",
      ),
    ],
  ])("names addresses of its own network: %s", async (internalAddresses, expected) => {
    const open = await openIntake();
    await playbook(open, { kinds: ["xss"] }, { internalAddresses });
    const own = ["10.1.2.3", "127.0.0.1", "::1", "fd00::1", "64:ff9b:1::9", "2001:0:1::9"];
    const ips = [...own, "203.0.113.7", "2001:db8::1"];
    const [response] = await responsesTo(open, [{ event_kind: "xss", ips }]);
    expect(networks(response)).toEqual(expected);
  });

  it("answers an incident when it has grown so far, and whoever joins it", async () => {
    const open = await openIntake({ rules: { incidents: { scanEvents: 2 } } });
    await playbook(open, { genres: ["http_scan"], count: 3 });
    const scans = (...ips: string[]) => ips.map((ip) => event("scan", ip));
    expect(await responsesTo(open, scans("8.8.8.1", "8.8.8.2"))).toEqual([]);
    expect((await responsesTo(open, scans("8.8.8.3"))).map((one) => networks(one))).toEqual([
      ["8.8.8.3/32"],
    ]);
    expect(
      (await responsesTo(open, scans("8.8.8.3", "8.8.8.1"))).map((one) => networks(one)),
    ).toEqual([["8.8.8.1/32"]]);
  });

  it("answers the score of an account that acted, wherever it acts from", async () => {
    const open = await openIntake();
    await playbook(open, { accountScoreAbove: 75 }, { addresses: false });
    const victim = event("auth_bruteforce", "8.8.8.8", account("ada@shop.example"));
    expect(
      await responsesTo(
        open,
        Array.from({ length: 50 }, () => victim),
      ),
    ).toEqual([]);
    const [response] = await responsesTo(open, [
      event("xss", "8.8.8.8", account("mallory@shop.example")),
    ]);
    expect(identifiers(response)).toEqual([{ email: "mallory@shop.example" }]);
    expect(networks(response)).toEqual([]);
  });

  it("answers what was detected from raw logins", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["auth_bruteforce"] });
    const outcome = { account: "ada@shop.example", address: "203.0.113.7", success: false };
    await open.intake.outcomes(
      open.applicationId,
      Array.from({ length: 20 }, () => outcome),
    );
    const { responses } = await open.payloads();
    expect(responses.map((one) => networks(one))).toEqual([["203.0.113.7/32"]]);
    expect(responses.map((one) => identifiers(one))).toEqual([[]]);
  });

  it.each([
    ["it is switched off", { enabled: false }],
    ["its rule is of no version that is known", { rule: { moon: "full" } }],
  ])("rests while %s, and the others do not", async (_, changes) => {
    const open = await openIntake();
    const { id } = await playbook(open, { kinds: ["xss"] });
    const other = await playbook(open, { kinds: ["xss"] });
    await open.storage.playbooks.update(id, changes);
    const responses = await responsesTo(open, [event("xss", "8.8.8.8")]);
    expect(responses.map((one) => one.playbook?.id)).toEqual([other.id]);
  });

  it("is not run for an application that wants no responses", async () => {
    const open = await openIntake({}, { payloadTypes: ["security_event"] });
    await playbook(open, { kinds: ["xss"] });
    expect(await responsesTo(open, [event("xss", "8.8.8.8")])).toEqual([]);
    expect(await open.storage.playbooks.responses(open.applicationId, 10)).toEqual([]);
  });

  it("names 2,500 addresses in three responses", async () => {
    const open = await openIntake();
    await playbook(open, { kinds: ["xss"] });
    const ips = (from: number) => Array.from({ length: 100 }, (_, n) => `8.8.${from}.${n}`);
    const events = Array.from({ length: 25 }, (_, n) => ({ event_kind: "xss", ips: ips(n) }));
    const responses = await responsesTo(open, events);
    expect(responses.map((one) => networks(one)?.length)).toEqual([1000, 1000, 500]);
    expect(new Set(responses.flatMap((one) => networks(one))).size).toBe(2500);
  });
});
