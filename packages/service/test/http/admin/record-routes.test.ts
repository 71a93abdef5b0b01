import { sign } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { type Json, type ServedApi, serveApi } from "../../support/served-api.js";
import { storeEvents } from "../../support/stored-events.js";
import { makeDelivery } from "../../support/temporary-storage.js";

const idsIn = (body: Json, name: string) => (body[name] as { id: string }[]).map(({ id }) => id);

const seqOf = (body: Json, name: string) => (body[name] as { seq: number }[]).at(-1)?.seq;

async function reported({ storage, application }: ServedApi, ...ids: string[]): Promise<void> {
  const facts = { kind: "xss", category: "injection", occurredAt: 1_700_000_000_000_000 };
  for (const id of ids) {
    const payload = { event_id: id, event_kind: "xss", ips: [{ address: "192.0.2.7" }] };
    const about = [{ type: "ip", subject: `192.0.2.${id.length}` } as const];
    await storeEvents(storage, application.id, [{ id, ...facts, highRisk: true, payload, about }]);
  }
}

describe("events of all applications", () => {
  it("are listed by pages", async () => {
    const api = await serveApi();
    await reported(api, "a", "bb", "ccc");
    const first = (await api.admin("GET", "/events?limit=2")).body;
    expect(idsIn(first, "events")).toEqual(["ccc", "bb"]);
    const next = `/events?limit=2&beforeSeq=${seqOf(first, "events")}`;
    expect(idsIn((await api.admin("GET", next)).body, "events")).toEqual(["a"]);
  });

  it.each([
    ["kind=xss", 3],
    ["kind=lfi", 0],
    ["ip=192.0.2.2", 1],
    ["ip=::ffff:192.0.2.2", 1],
    ["account=ada@x.y", 0],
    ["applicationId=other", 0],
  ])("are found by %s", async (query, count) => {
    const api = await serveApi();
    await reported(api, "a", "bb", "ccc");
    const { body } = await api.admin("GET", `/events?${query}`);
    expect(body["events"]).toHaveLength(count);
  });

  it("are found by the period in which they occurred", async () => {
    const api = await serveApi();
    const at = (minute: number) => `2026-01-31T12:0${minute}:00.000Z`;
    api.clock.now = Date.parse(at(5)) * 1000;
    for (const minute of [1, 2, 3]) {
      const event = { kind: "xss", category: "injection", highRisk: false, payload: {} };
      await storeEvents(api.storage, api.application.id, [
        { ...event, id: `${minute}`, occurredAt: Date.parse(at(minute)) * 1000 },
      ]);
    }
    const idsBy = async (query: string) =>
      idsIn((await api.admin("GET", `/events?${query}`)).body, "events");
    expect(await idsBy(`since=${at(2)}`)).toEqual(["3", "2"]);
    expect(await idsBy(`until=${at(2)}`)).toEqual(["2", "1"]);
    expect(await idsBy(`since=${at(2)}&until=${at(2)}`)).toEqual(["2"]);
    for (const wrong of ["since=yesterday", "since=", `until=2999-01-31T12:00:00Z`]) {
      expect((await api.admin("GET", `/events?${wrong}`)).status, wrong).toBe(400);
    }
  });

  it.each(["ip=junk", "ip=192.0.2.1&account=a@b.c", "limit=0", "beforeSeq=-1", "limit=x"])(
    "are not found by %s",
    async (query) => {
      const { admin } = await serveApi();
      expect((await admin("GET", `/events?${query}`)).status).toBe(400);
    },
  );

  it("are shown with their related records", async () => {
    const api = await serveApi();
    await reported(api, "a/b ?");
    const { status, body } = await api.admin("GET", `/events/${encodeURIComponent("a/b ?")}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      events: [{ event: { id: "a/b ?", kind: "xss" }, incidents: [], responses: [] }],
    });
    expect((await api.admin("GET", "/events/none")).status).toBe(404);
  });
});

describe("incidents of all applications", () => {
  it("are listed by pages, genre and state, without what the rules remember", async () => {
    const { admin, storage, application } = await serveApi();
    const now = 1_700_000_000_000_000;
    for (const [id, endedAt] of [
      ["1", now],
      ["2", null],
      ["3", null],
    ] as const) {
      await storage.incidents.save([
        {
          id,
          applicationId: application.id,
          genre: "injection_xss",
          subject: "",
          startedAt: now,
          endedAt,
          updatedAt: now,
          payload: {},
          state: { secret: "of the rules" },
        },
      ]);
    }
    const idsBy = async (query: string) =>
      idsIn((await admin("GET", `/incidents?${query}`)).body, "incidents");
    expect(await idsBy("open=true")).toEqual(["3", "2"]);
    expect(await idsBy("genre=injection_xss&limit=1")).toEqual(["3"]);
    expect(await idsBy("genre=injection_sql")).toEqual([]);
    expect(await idsBy("beforeSeq=3")).toEqual(["2", "1"]);
    expect((await admin("GET", "/incidents?genre=none")).status).toBe(400);
    const before = new Date((now - 1_000_000) / 1000).toISOString();
    const after = new Date((now + 1_000_000) / 1000).toISOString();
    // Those that are still open count in every period after they began.
    expect(await idsBy(`since=${after}`)).toEqual(["3", "2"]);
    expect(await idsBy(`since=${before}`)).toEqual(["3", "2", "1"]);
    expect(await idsBy(`until=${before}`)).toEqual([]);
    const shown = await admin("GET", "/incidents/1");
    expect(shown.body).toMatchObject({ incident: { id: "1" }, events: [], isPartial: false });
    expect(JSON.stringify(shown.body)).not.toContain("of the rules");
    expect((await admin("GET", "/incidents/none")).status).toBe(404);
    expect((await admin("GET", "/overview")).body).toMatchObject({ openIncidents: 2 });
  });
});

describe("a delivery as it is sent", () => {
  it("has its headers, the signature of the secret that signs, and its body", async () => {
    const { admin, storage, application } = await serveApi({
      application: { webhookUrl: "https://hooks.test:8443/a?b" },
    });
    const secret = await storage.applications.rotateSecret(application.id);
    const text = '[{"text":"\u00fc"}]';
    const { id } = await makeDelivery(storage, application.id, Buffer.from(text));
    const { body } = await admin("GET", `/deliveries/${id}/request`);
    expect(body).toEqual({
      method: "POST",
      url: "https://hooks.test:8443/a?b",
      headers: [
        { name: "Host", value: "hooks.test:8443" },
        { name: "Content-Type", value: "application/json" },
        { name: "Content-Length", value: String(Buffer.byteLength(text)) },
        { name: "X-Service-Integrity", value: sign(Buffer.from(text), secret.value) },
        { name: "webhook-id", value: id },
        { name: "webhook-timestamp", value: expect.stringMatching(/^\d+$/) as string },
        { name: "webhook-signature", value: expect.stringMatching(/^v1,[^ ]+$/) as string },
        { name: "User-Agent", value: "riskgate" },
      ],
      secretId: secret.id,
      body: text,
    });
    expect((await admin("GET", "/deliveries/none/request")).status).toBe(404);
  });

  it("has no headers if there is no URL", async () => {
    const { admin, storage, application } = await serveApi();
    const { id } = await makeDelivery(storage, application.id);
    const { body } = await admin("GET", `/deliveries/${id}/request`);
    expect(body).toMatchObject({ url: null, headers: [], body: "[]" });
  });
});

describe("a signature", () => {
  it("is checked with every secret that is valid, which no answer shows", async () => {
    const { admin, storage, application } = await serveApi();
    const old = await storage.applications.rotateSecret(application.id);
    const next = await storage.applications.rotateSecret(application.id);
    const check = async (signature: string, body = "[]") =>
      (await admin("POST", `/applications/${application.id}/verify`, { signature, body })).body;
    const bytes = Buffer.from("[]");
    expect(await check(sign(bytes, old.value))).toEqual({ valid: true, secretId: old.id });
    expect(await check(` ${sign(bytes, next.value)}\n`)).toEqual({
      valid: true,
      secretId: next.id,
    });
    expect(await check(sign(bytes, old.value), "[ ]")).toEqual({ valid: false, secretId: null });
    expect(await check("nonsense")).toEqual({ valid: false, secretId: null });
    const path = `/applications/${application.id}/verify`;
    expect((await admin("POST", path, { body: "[]" })).status).toBe(400);
    expect((await admin("POST", "/applications/none/verify", {})).status).toBe(400);
  });
});

describe("the overview", () => {
  it("has lookups by outcome, deliveries by state, feeds, and what needs attention", async () => {
    const { admin, storage, application, get } = await serveApi();
    await makeDelivery(storage, application.id);
    await get("/v1/ips/8.8.8.8");
    await get("/v1/ips/junk");
    await storage.applications.disable(application.id, "for the test");
    const { body } = await admin("GET", "/overview");
    expect(body).toMatchObject({
      applications: 1,
      deliveries: { pending: 0, delivered: 0, dead: 0, cancelled: 1 },
      feeds: [{ name: "tor" }, { name: "datacenter" }, { name: "disposable" }],
      attention: [{ what: "application_disabled", applicationId: application.id }],
    });
    const { steps } = body["lookups"] as { steps: Record<string, number>[] };
    const sum = (name: string) => steps.reduce((total, step) => total + (step[name] ?? 0), 0);
    expect(["allow", "flag", "reject", "refused", "failed"].map(sum)).toEqual([1, 0, 0, 1, 0]);
  });
});

describe("published lists", () => {
  it("are asked for at once", async () => {
    const { admin, calls } = await serveApi();
    const { body } = await admin("POST", "/feeds/update");
    expect(body).toMatchObject({ outcomes: [{ name: "tor", state: "unchanged", reason: null }] });
    expect(calls).toEqual([["updateFeeds"]]);
  });
});

describe("a dry run", () => {
  it("is of a stored playbook or of one that is sent", async () => {
    const api = await serveApi();
    const { admin, application, clock } = api;
    await reported(api, "a", "bb");
    clock.now += 1_000_000;
    const rule = { kinds: ["xss"] };
    const path = `/applications/${application.id}/playbooks`;
    const sent = await admin("POST", `${path}/dry-run`, { rule, days: 2 });
    expect(sent.body).toMatchObject({
      events: 2,
      responseCount: 1,
      responses: [{ payload: { properties: { ips: [{ ip_cidr: "192.0.2.7/32" }] } } }],
    });
    const { body } = await admin("POST", path, { name: "Block", rule });
    const { id } = body["playbook"] as { id: string };
    const stored = await admin("POST", `/playbooks/${id}/dry-run`, {});
    expect(stored.body).toMatchObject({ events: 2, responseCount: 1 });
    expect((await admin("GET", "/playbooks")).body).toMatchObject({ playbooks: [{ id }] });
  });

  it.each([
    ["no rule", {}],
    ["a rule of nothing", { rule: { kinds: [] } }],
    ["too many days", { rule: { kinds: ["xss"] }, days: 91 }],
    ["no object", []],
  ])("is refused with %s", async (_what, body) => {
    const { admin, application } = await serveApi();
    const path = `/applications/${application.id}/playbooks/dry-run`;
    expect((await admin("POST", path, body)).status).toBe(400);
  });
});

describe("deliveries in bulk", () => {
  it("are sent again by state, application and time, which is logged", async () => {
    const { admin, application, storage, calls, clock } = await serveApi({
      application: { webhookUrl: "https://app.example/hook" },
    });
    await makeDelivery(storage, application.id);
    await storage.deliveries.cancel(application.id);
    const retry = async (body: object) => (await admin("POST", "/deliveries/retry", body)).body;
    const applicationId = application.id;
    const cancelled = { state: "cancelled", applicationId };
    clock.now += 1_000_000;
    const nothing = { retried: 0, nextAfterSeq: null };
    expect(await retry({ state: "dead" })).toEqual(nothing);
    expect(await retry({ ...cancelled, createdSince: "2023-11-14T22:14:00Z" })).toEqual(nothing);
    expect(await retry({ ...cancelled, createdBefore: "2001-01-31T12:00:00Z" })).toEqual(nothing);
    expect(calls).not.toContainEqual(["onNotice", expect.anything()]);
    expect(await retry(cancelled)).toEqual({ retried: 1, nextAfterSeq: null });
    const notice = { type: "retried", applicationId, state: "cancelled", count: 1 };
    expect(calls.slice(-2)).toEqual([["wake"], ["onNotice", notice]]);
    expect(await retry(cancelled)).toEqual(nothing);
  });

  it.each([
    {},
    { state: "pending" },
    { state: "dead", createdSince: "yesterday" },
    { state: "dead", afterSeq: -1 },
    { state: "dead", since: "2026-01-31T12:00:00Z" },
  ])("are not sent again by %j", async (body) => {
    const { admin } = await serveApi();
    expect((await admin("POST", "/deliveries/retry", body)).status).toBe(400);
  });
});

describe("maxDeliveriesPerMinute", () => {
  it("is set, shown, lifted with null, and checked", async () => {
    const { admin, application } = await serveApi();
    const set = (value: unknown) =>
      admin("PATCH", `/applications/${application.id}`, { maxDeliveriesPerMinute: value });
    for (const value of [60, null]) {
      expect((await set(value)).body["application"]).toMatchObject({
        maxDeliveriesPerMinute: value,
      });
    }
    for (const value of [0, 60_001, 1.5, "60"]) expect((await set(value)).status).toBe(400);
  });
});
