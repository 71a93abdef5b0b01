import { formatTimestamp } from "@riskgate/core/payloads";
import { rawRequest } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../../src/service.js";
import { ADMIN_TOKEN, type Json, serveApi } from "../../support/served-api.js";
import { temporaryDirectory } from "../../support/temporary-storage.js";

const TOR = "185.220.101.1";

/** A service with an application that reports. */
async function serve() {
  const service = await createService({
    dataDir: await temporaryDirectory(),
    adminToken: ADMIN_TOKEN,
    dispatch: false,
    feeds: [
      { kind: "tor", name: "exits", entries: [TOR], licence: "CC0" },
      { kind: "datacenter", name: "hosts", entries: ["185.220.0.0/16"] },
      { kind: "vpn", name: "tunnels", entries: ["192.0.2.0/24"] },
      { kind: "disposable", name: "trash", entries: ["trash.example"] },
    ],
  });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const admin = async (path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        "content-type": "application/json",
        connection: "close",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status, path).toBeLessThan(300);
    return (await response.json()) as Json;
  };
  const { application, key } = (await admin("/applications", { name: "Shop" })) as {
    application: { id: string };
    key: string;
  };
  const report = (...events: object[]) => admin(`/applications/${application.id}/events`, events);
  const lookup = async (path: string): Promise<Json> => {
    const headers = { "x-api-key": key, connection: "close" };
    return (await (await fetch(`${url}/v1/${path}`, { headers })).json()) as Json;
  };
  return { admin, report, lookup, applicationId: application.id };
}

const none = {
  events: 0,
  highRisk: 0,
  isKnownAttacker: false,
  lastEventAt: null,
  entries: [],
};

describe("an address behind a NAT64 gateway", () => {
  it("is its IPv4 address in reports, lookups, explanations, lists and erasures", async () => {
    const { admin, report, lookup } = await serve();
    const [own, other] = ["64:ff9b::808:808", "64:ff9b::808:404"];
    await report(...[1, 2, 3].map((n) => ({ event_id: `e${n}`, event_kind: "xss", ips: [own] })));
    await expect
      .poll(async () => lookup(`ips/${own}`))
      .toMatchObject({ ip: own, security_events_count: 3 });
    expect(await lookup("ips/8.8.8.8")).toMatchObject({ security_events_count: 3 });
    for (const ip of [other, "8.8.4.4"]) {
      expect(await lookup(`ips/${ip}`)).toMatchObject({ security_events_count: 0, risk_score: 0 });
    }
    for (const ip of [own, "8.8.8.8"]) {
      expect((await admin(`/explain/ips/${ip}`))["ledger"]).toMatchObject({
        events: 3,
        entries: [{}, {}, {}],
      });
      expect((await admin(`/events?ip=${ip}`))["events"]).toHaveLength(3);
    }
    expect((await admin(`/explain/ips/${other}`))["ledger"]).toEqual(none);
    await admin("/erasures", { ip: own });
    await expect
      .poll(async () => lookup("ips/8.8.8.8"))
      .toMatchObject({ security_events_count: 0 });
  });
});

describe("the explanation of an address", () => {
  it("holds signals, feeds with their age, the ledger, and the answer of the lookup", async () => {
    const { admin, report, lookup, applicationId } = await serve();
    const monthAgo = formatTimestamp((Date.now() - 30 * 86_400_000) * 1000);
    await report(
      { event_id: "first", event_kind: "scan", date_occurred: monthAgo, ips: [TOR] },
      { event_id: "second", event_kind: "xss", ips: [TOR] },
    );
    const timestamp = expect.stringMatching(/^\d{4}-.+\.\d{6}\+00:00$/);
    await expect
      .poll(async () => (await admin(`/explain/ips/${TOR}`))["ledger"])
      .toMatchObject({ events: 2 });
    const explanation = await admin(`/explain/ips/${TOR}`);
    expect(explanation).toEqual({
      score: 100,
      signals: [
        expect.objectContaining({ name: "attacker", weight: 80, adds: 80, source: "ledger" }),
        expect.objectContaining({
          name: "history",
          adds: 0,
          detail: "2 events, 1 of high risk",
          lastEventAtMs: expect.any(Number),
        }),
        { name: "tor", weight: 60, adds: 20, source: "exits", loadedAtMs: expect.any(Number) },
        expect.objectContaining({ name: "datacenter", adds: 0, source: "hosts" }),
      ],
      assessment: await lookup(`ips/${TOR}`),
      feeds: [
        {
          name: "exits",
          kind: "tor",
          listed: true,
          size: 1,
          loadedAtMs: expect.any(Number),
          updatedAtMs: expect.any(Number),
          ageMs: expect.any(Number),
          licence: "CC0",
        },
        expect.objectContaining({ name: "hosts", listed: true }),
        expect.objectContaining({ name: "tunnels", listed: false }),
      ],
      ledger: {
        events: 2,
        highRisk: 1,
        isKnownAttacker: true,
        lastEventAt: timestamp,
        entries: [
          { applicationId, eventId: "second", kind: "xss", occurredAt: timestamp, highRisk: true },
          {
            applicationId,
            eventId: "first",
            kind: "scan",
            occurredAt: monthAgo,
            highRisk: false,
          },
        ],
      },
      geo: { country: null, asn: null },
      rules: [],
    });
  });

  it.each([
    ["IPv6 unescaped", "2001:db8::1", "2001:db8::1"],
    ["IPv6 escaped", "2001%3ADB8%3A%3A1", "2001:db8::1"],
    ["mapped IPv4, with a query", "::ffff:9.9.9.9?x=1/2", "9.9.9.9"],
  ])("reads %s as a lookup does", async (_, segment, ip) => {
    const { admin } = await serveApi();
    const { status, body } = await admin("GET", `/explain/ips/${segment}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ score: 0, assessment: { ip }, ledger: none });
  });

  it.each([
    ["a name", "junk"],
    ["a network", "192.0.2.0%2F24"],
    ["an address that is escaped twice", "2001%253Adb8%253A%253A1"],
    ["invalid escapes", "%zz"],
    ["a very long text", "1".repeat(2_000)],
  ])("refuses %s with 400", async (_, segment) => {
    const { admin } = await serveApi();
    expect(await admin("GET", `/explain/ips/${segment}`)).toMatchObject({
      status: 400,
      body: { code: 400 },
    });
  });
});

describe("the explanation of an email", () => {
  it("finds the entries of every spelling of the mailbox", async () => {
    const { admin, report, lookup } = await serve();
    const keys = [{ name: "email", value: "Eve+shop@trash.example" }];
    await report({ event_id: "one", event_kind: "xss", application_account_account_keys: keys });
    await expect
      .poll(async () => (await admin("/explain/emails/eve@trash.example"))["ledger"])
      .toMatchObject({ events: 1 });
    const explanation = await admin("/explain/emails/eve%40trash.example");
    expect(explanation).toMatchObject({
      signals: [
        { name: "attacker", source: "ledger" },
        { name: "history" },
        { name: "disposable", source: "trash" },
      ],
      feeds: [{ name: "trash", kind: "disposable", listed: true }],
      ledger: { events: 1, highRisk: 1, entries: [{ eventId: "one", kind: "xss" }] },
      rules: [],
    });
    expect(explanation["assessment"]).toEqual(await lookup("emails/eve@trash.example"));
    expect(explanation).not.toHaveProperty("geo");
  });

  it("marks a forwarding service, which a lookup does not", async () => {
    const { admin, lookup } = await serve();
    const explanation = await admin("/explain/emails/ann@eve.anonaddy.com");
    expect(explanation).toMatchObject({ is_forwarding: true, signals: [] });
    expect(await lookup("emails/ann@eve.anonaddy.com")).toEqual(explanation["assessment"]);
    expect(explanation["assessment"]).not.toHaveProperty("is_forwarding");
    expect(await admin("/explain/emails/ann@shop.example")).toMatchObject({ is_forwarding: false });
  });

  it("reads what only a lookup's path can carry", async () => {
    const { admin } = await serveApi();
    for (const email of ["a/b@shop.example", "100%25@shop.example", `${"a".repeat(290)}@x.y`]) {
      const { status, body } = await admin("GET", `/explain/emails/${encodeURIComponent(email)}`);
      expect([status, body["assessment"]]).toEqual([200, expect.objectContaining({ email })]);
    }
  });

  it.each([
    ["more than 320 bytes", `${"a".repeat(320)}%40x.y`],
    ["blanks alone", "%20%20"],
    ["invalid escapes", "%zz"],
  ])("refuses %s with 400", async (_, segment) => {
    const { admin } = await serveApi();
    expect(await admin("GET", `/explain/emails/${segment}`)).toMatchObject({ status: 400 });
  });
});

describe("explanations", () => {
  it.each(["/explain/ips/9.9.9.9", "/explain/emails/a@b.example"])(
    "are for administrators alone: %s",
    async (path) => {
      const { adminPort: port, key, admin } = await serveApi();
      for (const headers of [[], [["X-API-Key", key]]] as const) {
        const request = { method: "GET", path: `/admin/v1${path}`, headers };
        expect((await rawRequest(port, request)).status).toBe(401);
      }
      expect((await admin("POST", path, {})).status).toBe(405);
      expect((await admin("GET", `${path}/more`)).status).toBe(404);
    },
  );
});
