import { createBlockList } from "@riskgate/core";
import { createIdentityDigest } from "@riskgate/core/log";
import { parseTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/service.js";
import { temporaryDatabase } from "../support/postgres.js";
import { startReceiver } from "../support/receiver.js";
import { ADMIN_TOKEN } from "../support/served-api.js";
import { engine, temporaryDirectory } from "../support/temporary-storage.js";

/** In the feed; addresses for documentation always have the score 0. */
const IP = "185.220.101.1";
const ACCOUNT = "ada@shop.example";

interface Payload {
  readonly service_payload_type: string;
  readonly properties: { readonly ips: object };
}

interface Answer {
  readonly status: number;
  // The tests assert what it contains.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A service with two applications: Shop receives deliveries, Blog has no webhook. */
async function serve() {
  const receiver = await startReceiver();
  const place =
    engine.name === "postgres"
      ? { database: await temporaryDatabase() }
      : { dataDir: await temporaryDirectory() };
  const service = await createService({
    ...place,
    adminToken: ADMIN_TOKEN,
    feeds: [{ kind: "proxy", name: "proxies", entries: [IP] }],
  });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const admin = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        connection: "close",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const added = async (settings: object) =>
    (await admin("POST", "/applications", settings)).body as {
      application: { id: string };
      key: string;
    };
  const shop = await added({
    name: "Shop",
    webhookUrl: receiver.url,
    allowedDestinations: ["127.0.0.0/8"],
  });
  const blog = await added({ name: "Blog" });
  const id = shop.application.id;
  /** The security responses that Shop has received. */
  const received = () =>
    receiver.requests
      .flatMap(({ body }) => JSON.parse(body.toString()) as Payload[])
      .filter((one) => one.service_payload_type === "security_response");
  return {
    admin,
    received,
    receiver,
    id,
    blogId: blog.application.id,
    report: (...events: object[]) => admin("POST", `/applications/${id}/events`, events),
    decisions: async (...records: object[]) => {
      const { body } = await admin("POST", `/applications/${id}/keys`, { scope: "report" });
      const headers = {
        "x-api-key": body.key,
        connection: "close",
        "content-type": "application/json",
      };
      const request = { method: "POST", headers, body: JSON.stringify(records) };
      expect((await fetch(`${url}/v1/reports/decisions`, request)).status).toBe(200);
    },
    logins: async (...outcomes: object[]) => {
      const { body } = await admin("POST", `/applications/${id}/logins`, outcomes);
      expect(body).toMatchObject({ accepted: outcomes.length });
    },
    lookup: (path: string) =>
      fetch(`${url}/v1/${path}`, { headers: { "x-api-key": shop.key, connection: "close" } }).then(
        (one) => one.json(),
      ),
  };
}

const bruteforce = (event_id: string, members: object = {}) => ({
  event_id,
  event_kind: "auth_bruteforce",
  application_account_account_keys: [{ name: "email", value: ACCOUNT }],
  ips: [IP],
  ...members,
});

const decisionOf = (
  id: string,
  { ip, email }: { readonly ip: string; readonly email: string },
) => ({
  v: 1,
  id,
  at: "2026-03-01T12:00:00.000Z",
  route: "POST /signup",
  outcome: "allow",
  enforced: true,
  because: "score",
  score: 5,
  ip: { state: "scored", score: 5, source: "live", flags: [], digest: ip },
  email: { state: "scored", score: 0, source: "live", flags: [], digest: email },
  policy: { flagAbove: 40, rejectAbove: 80 },
});

const microsOf = (timestamp: string): number => parseTimestamp(timestamp)!.epochMicros;

describe("an operator's block", () => {
  it("is delivered to each application, blocks there, and ends with a release", async () => {
    const { admin, received, id, blogId } = await serve();
    const list = createBlockList();
    const order = {
      ips: [IP],
      accounts: [ACCOUNT],
      durationMs: 7_200_000,
      note: "Credential stuffing",
    };
    const { status, body } = await admin("POST", "/blocks", order);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        sentTo: [
          { id, name: "Shop", isSent: true },
          { id: blogId, name: "Blog", isSent: false },
        ],
      },
    });
    await expect.poll(() => received().length).toBe(1);
    expect(received()[0]).toMatchObject({
      application: { id, name: "Shop" },
      properties: {
        ips: [{ ip_cidr: `${IP}/32` }],
        user_identifiers: [{ email: ACCOUNT }],
        duration_seconds: 7_200,
      },
      playbook: { id: "operator", name: "Credential stuffing" },
    });
    list.apply(received()[0] as never);
    expect([list.blocksIp(IP), list.blocksEmail("ADA@shop.example")]).toEqual([true, true]);

    const { blocks } = (await admin("GET", `/blocks?applicationId=${id}`)).body;
    expect(blocks).toHaveLength(2);
    expect(blocks[0]).toMatchObject({
      applicationId: id,
      type: "network",
      target: `${IP}/32`,
      playbook: { id: "operator", name: "Credential stuffing" },
    });
    expect(microsOf(blocks[0].until) - microsOf(blocks[0].since)).toBe(7_200_000_000);
    expect((await admin("GET", "/blocks")).body.blocks).toHaveLength(4);

    const released = await admin("POST", "/releases", { ips: [IP], applicationId: id });
    expect(released.body.sentTo).toEqual([{ id, name: "Shop", isSent: true }]);
    await expect.poll(() => received().length).toBe(2);
    expect(received()[1]).toMatchObject({
      properties: { ips: [{ ip_cidr: `${IP}/32` }], user_identifiers: [], duration_seconds: 1 },
    });
    await expect
      .poll(async () => (await admin("GET", `/blocks?applicationId=${id}`)).body.blocks)
      .toMatchObject([{ type: "account", target: ACCOUNT }]);
    // Blog still blocks both, and a second release in Shop finds nothing.
    expect((await admin("GET", `/blocks?applicationId=${blogId}`)).body.blocks).toHaveLength(2);
    const again = await admin("POST", "/releases", { ips: [IP], applicationId: id });
    expect(again.body.sentTo).toEqual([]);
  });

  it("ends what a playbook blocked, with the network that it named", async () => {
    const { admin, report, received, id } = await serve();
    await admin("POST", `/applications/${id}/playbooks`, {
      name: "Stop guessing",
      rule: { kinds: ["auth_bruteforce"] },
      response: { durationMs: 3_600_000, ipv6Prefix: 64 },
    });
    await report(bruteforce("one", { ips: ["2001:db8::7"] }));
    await expect.poll(() => received().length).toBe(1);
    const { blocks } = (await admin("GET", "/blocks")).body;
    expect(blocks).toMatchObject([
      { target: "2001:db8::/64", playbook: { name: "Stop guessing" } },
    ]);
    // Until the operator releases it, the event shows what blocks its address.
    const shown = async () => (await admin("GET", "/events/one")).body.events[0].blocks;
    expect(await shown()).toEqual(blocks);
    await admin("POST", "/releases", { ips: ["2001:db8:0::9"] });
    await expect.poll(() => received().length).toBe(2);
    expect(received()[1]?.properties.ips).toEqual([{ ip_cidr: "2001:db8::/64" }]);
    await expect.poll(async () => (await admin("GET", "/blocks")).body.blocks).toEqual([]);
    expect(await shown()).toEqual([]);
  });

  it("is not shortened by a playbook, unless it is released first", async () => {
    const { admin, report, received, id } = await serve();
    await admin("POST", `/applications/${id}/playbooks`, {
      name: "Stop guessing",
      rule: { kinds: ["auth_bruteforce"] },
      response: { durationMs: 60_000, accounts: "all" },
    });
    await admin("POST", "/blocks", { ips: [IP], durationMs: 86_400_000 });
    await expect.poll(() => received().length).toBe(1);
    await report(bruteforce("one"));
    await expect.poll(() => received().length).toBe(2);
    expect(received()[1]?.properties).toMatchObject({ ips: [], user_identifiers: [{}] });
    const blockedIn = async (): Promise<object[]> => {
      const { blocks } = (await admin("GET", `/blocks?applicationId=${id}`)).body;
      return blocks.filter(({ type }: { type: string }) => type === "network");
    };
    expect(await blockedIn()).toMatchObject([{ playbook: { id: "operator" } }]);

    await admin("POST", "/releases", { ips: [IP], applicationId: id });
    await report(bruteforce("two"));
    await expect.poll(blockedIn).toMatchObject([{ playbook: { name: "Stop guessing" } }]);
  });

  it("is refused if it names nobody, or what it cannot block", async () => {
    const { admin } = await serve();
    const refusals: readonly [string, object, RegExp][] = [
      ["/blocks", {}, /`ips` must be a list of IP addresses/],
      ["/blocks", { ips: ["x"] }, /`ips\[0\]` must be an IP address/],
      ["/blocks", { accounts: [" "] }, /`accounts\[0\]` must be/],
      ["/blocks", { ips: ["10.0.0.7"] }, /10\.0\.0\.7 is a private address/],
      ["/blocks", { ips: [IP], durationMs: 2_592_000_001 }, /`durationMs` must be/],
      ["/blocks", { ips: [IP], applicationId: "x" }, /`applicationId`/],
      ["/releases", { ips: [IP], durationMs: 1 }, /only takes/],
      ["/allowances", { ips: [IP], allowed: "no" }, /`allowed` must be/],
    ];
    for (const [path, order, message] of refusals) {
      const { status, body } = await admin("POST", path, order);
      expect(status, path).toBe(400);
      expect(JSON.stringify(body)).toMatch(message);
    }
    expect((await admin("GET", "/blocks")).body.blocks).toEqual([]);
  });
});

describe("an allowed address or account", () => {
  it("has a low score and no blocks until it is removed", async () => {
    const { admin, lookup } = await serve();
    const rule = {
      name: "No proxies",
      when: { flags: { any: ["is_proxy"] } },
      outcome: "reject",
    };
    await admin("PUT", "/rules", { rules: [rule] });
    expect(await lookup(`ips/${IP}`)).toMatchObject({ risk_score: 81 });
    await admin("POST", "/blocks", { ips: [IP] });
    const both = { ips: [IP], accounts: [ACCOUNT] };
    const { body } = await admin("POST", "/allowances", both);
    expect(body.sentTo.map((one: { name: string }) => one.name)).toEqual(["Shop", "Blog"]);
    await admin("POST", "/allowances", { ips: ["198.51.100.9", IP] });
    expect((await admin("GET", "/rules")).body.rules).toEqual([
      {
        name: "Allowed addresses",
        when: { network: ["198.51.100.9", IP] },
        outcome: "allow",
      },
      { name: "Allowed accounts", when: { email: [ACCOUNT] }, outcome: "allow" },
      rule,
    ]);
    expect(await lookup(`ips/${IP}`)).toMatchObject({ risk_score: 40 });
    expect((await admin("GET", `/subject?ip=${IP}`)).body).toMatchObject({ isAllowed: true });

    await admin("POST", "/allowances", { ...both, allowed: false });
    expect((await admin("GET", "/rules")).body.rules).toEqual([
      { name: "Allowed addresses", when: { network: ["198.51.100.9"] }, outcome: "allow" },
      rule,
    ]);
    expect(await lookup(`ips/${IP}`)).toMatchObject({ risk_score: 81 });
  });

  it("keeps every change that is sent at the same time", async () => {
    const { admin } = await serve();
    const ips = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
    await Promise.all(ips.map((ip) => admin("POST", "/allowances", { ips: [ip] })));
    const { rules } = (await admin("GET", "/rules")).body;
    expect(rules[0].when.network.toSorted()).toEqual(ips.toSorted());
  });
});

describe("the page of a subject", () => {
  it("has everything about an address", async () => {
    const { admin, report, logins, lookup, id } = await serve();
    await report(bruteforce("one"), bruteforce("two"), bruteforce("three"));
    await logins({ account: "eve@shop.example", address: IP, success: false });
    await lookup(`ips/${IP}`);
    await admin("POST", "/blocks", { ips: [IP], applicationId: id });
    const { status, body } = await admin("GET", `/subject?ip=${IP}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: "ip",
      subject: IP,
      isAllowed: false,
      explanation: { ip: { score: expect.any(Number), ledger: { events: 3 } }, account: null },
      isPartial: false,
      logins: [{ applicationId: id, account: "eve@shop.example", address: IP, success: false }],
      blocks: [{ applicationId: id, target: `${IP}/32` }],
      responses: [{ playbookId: "operator" }],
      decisions: [],
    });
    expect(body.lookups[0]).toMatchObject({ applicationId: id, score: expect.any(Number) });
    expect(body.events.map((one: { id: string }) => one.id)).toEqual(["three", "two", "one"]);
    expect(body.incidents).toMatchObject([{ genre: "account_takeover", subject: ACCOUNT }]);
    expect(body.related).toEqual([
      { name: ACCOUNT, events: 3 },
      { name: "eve@shop.example", events: 1 },
    ]);
    expect((await admin("GET", "/subject?ip=198.51.100.1")).body).toMatchObject({
      events: [],
      incidents: [],
      blocks: [],
      related: [],
    });
  });

  it("has everything about an account, in any spelling", async () => {
    const { admin, report, logins, lookup, id, blogId } = await serve();
    await report(bruteforce("one"), bruteforce("two"), bruteforce("three"));
    await logins(
      {
        account: ACCOUNT,
        address: "198.51.100.9",
        success: true,
        location: { city: "Paris", code: "FRA" },
      },
      { account: ACCOUNT, address: IP, success: false },
    );
    await lookup(`emails/${ACCOUNT}`);
    await admin("POST", "/blocks", { accounts: ["Ada+news@shop.example"], applicationId: blogId });
    await expect
      .poll(async () => (await admin("GET", `/subject?account=${ACCOUNT}`)).body.incidents)
      .toHaveLength(1);
    const { body } = await admin("GET", `/subject?account=${ACCOUNT}`);
    expect(body).toMatchObject({
      type: "account",
      identity: ACCOUNT,
      explanation: { ip: null, account: { score: expect.any(Number) } },
      knownNetworks: ["198.51.100.9/32"],
      knownPlaces: ["Paris, FRA"],
      blocks: [{ applicationId: blogId, type: "account" }],
    });
    expect(
      body.logins.map((one: { address: string; success: boolean }) => [one.address, one.success]),
    ).toEqual(
      expect.arrayContaining([
        ["198.51.100.9", true],
        [IP, false],
      ]),
    );
    expect(body.events).toHaveLength(3);
    const inShop = await admin("GET", `/subject?account=${ACCOUNT}&applicationId=${id}`);
    expect(inShop.body.blocks).toEqual([]);
  });

  it("has the decisions of an application's log that have the given digest", async () => {
    const { admin, decisions } = await serve();
    const secret = "a secret of at least thirty-two bytes";
    const digests = createIdentityDigest({ secret });
    await decisions(
      decisionOf("one", { ip: digests.ip(IP)!, email: digests.email(ACCOUNT)! }),
      decisionOf("two", { ip: digests.ip("198.51.100.9")!, email: digests.email(ACCOUNT)! }),
    );
    const idsBy = async (query: string): Promise<string[]> =>
      (await admin("GET", `/subject?${query}`)).body.decisions.map((one: { id: string }) => one.id);
    expect(await idsBy(`ip=${IP}`)).toEqual([]);
    expect(await idsBy(`ip=${IP}&digest=${digests.ip(IP)}`)).toEqual(["one"]);
    expect(await idsBy(`account=${ACCOUNT}&digest=${digests.email(ACCOUNT)}`)).toEqual([
      "two",
      "one",
    ]);
  });

  it("is refused without one subject that can be read", async () => {
    const { admin } = await serve();
    const queries = [
      "",
      "?ip=x",
      `?ip=${IP}&account=a`,
      `?ip=${IP}&applicationId=x`,
      `?ip=${IP}&digest=%25`,
    ];
    for (const query of queries) {
      expect((await admin("GET", `/subject${query}`)).status, query).toBe(400);
    }
  });
});

describe("an incident of an operator", () => {
  async function attacked() {
    const served = await serve();
    const events = Array.from({ length: 12 }, (_, index) => ({
      event_id: `e${index}`,
      event_kind: "sql_injection",
      ips: [IP, "198.51.100.4"],
    }));
    await served.report(...events);
    const { admin, id } = served;
    const [incident] = (await admin("GET", `/applications/${id}/incidents`)).body.incidents;
    return {
      ...served,
      path: `/incidents/${incident.id}`,
      pulses: () =>
        served.receiver.requests
          .flatMap(({ body }) => JSON.parse(body.toString()) as Payload[])
          .filter((one) => one.service_payload_type === "pulse"),
    };
  }

  it("shows its events over time, its addresses and what is blocked", async () => {
    const { admin, path, id } = await attacked();
    await admin("POST", "/blocks", { ips: [IP], applicationId: id, durationMs: 60_000 });
    const { body } = await admin("GET", path);
    expect(body.timeline.counts.reduce((sum: number, one: number) => sum + one, 0)).toBe(12);
    expect(body.timeline.stepMs).toBe(1_000);
    expect(body.addresses).toEqual([
      {
        name: IP,
        events: 12,
        score: expect.any(Number),
        country: null,
        asn: null,
        blockedUntil: expect.stringMatching(/^\d{4}-/),
      },
      expect.objectContaining({ name: "198.51.100.4", blockedUntil: null }),
    ]);
    expect(body.blocks).toMatchObject([{ target: `${IP}/32`, playbook: { id: "operator" } }]);
    expect(body.comments).toEqual([]);
    await admin("POST", "/releases", { ips: [IP] });
    const { responses, blocks } = (await admin("GET", path)).body;
    expect(responses.map((one: { playbookId: string }) => one.playbookId)).toEqual([
      "operator",
      "operator",
    ]);
    expect(blocks).toEqual([]);
  });

  it("keeps comments while it continues, ends when it is closed, and starts anew", async () => {
    const { admin, path, report, pulses, id } = await attacked();
    const commented = await admin("POST", `${path}/comments`, { text: "Ours: a penetration test" });
    expect(commented.status).toBe(201);
    await report({ event_id: "later", event_kind: "sql_injection", ips: [IP] });
    const { status, body } = await admin("POST", `${path}/close`, { text: "Done" });
    expect(status).toBe(200);
    expect(body.incident.endedAt).toMatch(/^\d{4}-/);
    await expect
      .poll(() => pulses().at(-1))
      .toMatchObject({
        date_ended: expect.stringMatching(/^\d{4}-/),
        incidents_count: 13,
      });
    const shown = (await admin("GET", path)).body;
    expect(shown.comments).toMatchObject([
      { action: "comment", text: "Ours: a penetration test" },
      { action: "close", text: "Done" },
    ]);
    const again = await admin("POST", `${path}/close`, {});
    expect(again.body.incident.endedAt).toBe(body.incident.endedAt);
    expect((await admin("GET", path)).body.comments).toHaveLength(2);

    await report(
      ...Array.from({ length: 12 }, (_, index) => ({
        event_id: `new${index}`,
        event_kind: "sql_injection",
        ips: [IP],
      })),
    );
    const { incidents } = (await admin("GET", `/applications/${id}/incidents`)).body;
    expect(incidents).toHaveLength(2);
    expect(incidents[0].endedAt).toBeNull();
  });

  it("refuses a comment beyond the hundredth, an empty one, and an unknown incident", async () => {
    const { admin, path } = await attacked();
    for (let count = 0; count < 100; count++) {
      await admin("POST", `${path}/comments`, { text: `${count}` });
    }
    expect((await admin("POST", `${path}/comments`, { text: "more" })).status).toBe(400);
    expect((await admin("POST", `${path}/comments`, { text: "" })).status).toBe(400);
    expect((await admin("POST", "/incidents/none/comments", { text: "x" })).status).toBe(404);
    expect((await admin("POST", "/incidents/none/close", {})).status).toBe(404);
  });

  it("loses the comments that name a subject when that is erased", async () => {
    const { admin, path } = await attacked();
    await admin("POST", `${path}/comments`, { text: `From ${IP} again` });
    await admin("POST", "/erasures", { ip: IP });
    expect(JSON.stringify((await admin("GET", path)).body)).not.toContain(IP);
  });
});
