import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatTimestamp } from "@riskgate/core/payloads";
import { rawRequest } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN, REPORT, type Json, serveApi } from "../../support/served-api.js";
import { storeEvents } from "../../support/stored-events.js";

/** A list in an answer. */
function listIn(body: Json, name: string): readonly Json[] {
  return body[name] as readonly Json[];
}

describe("administration", () => {
  it.each([
    ["no token", []],
    ["another token", [["Authorization", "Bearer another"]]],
    ["the token alone", [["Authorization", ADMIN_TOKEN]]],
    ["the token in another case", [["Authorization", `Bearer ${ADMIN_TOKEN.toUpperCase()}`]]],
    ["the token of another scheme", [["Authorization", `Basic ${ADMIN_TOKEN}`]]],
    ["a key", [["X-API-Key", ADMIN_TOKEN]]],
  ] as const)("refuses %s, whatever the path", async (_what, headers) => {
    const { adminPort: port } = await serveApi();
    const answers = await Promise.all(
      ["/applications", "/nothing", "/deliveries/x"].map((path) =>
        rawRequest(port, { method: "GET", path: `/admin/v1${path}`, headers }),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.header("www-authenticate")).toBe("Bearer");
      expect(answer.body).toBe(answers[0]?.body);
    }
  });

  it("takes the token whatever the letter case of its scheme", async () => {
    const { adminPort: port } = await serveApi();
    const headers = [["Authorization", `bearer ${ADMIN_TOKEN}`]] as const;
    const path = "/admin/v1/applications";
    expect((await rawRequest(port, { method: "GET", path, headers })).status).toBe(200);
  });

  it.each([
    ["an origin with a path", { adminOrigin: "https://risk.example/console" }],
    ["a short token", { adminToken: "short" }],
    ["a token that no header can hold", { adminToken: "sixteen blanks in it" }],
    ["a burst of nothing", { rateLimit: { burst: 0, perSecond: 1 } }],
    ["a rate of nothing", { rateLimit: { burst: 1, perSecond: 0 } }],
    ["an invalid rate", { rateLimit: { burst: 1, perSecond: NaN } }],
  ])("is a set-up error with %s", async (_what, settings) => {
    await expect(serveApi(settings)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("answers 404 and 405 with objects", async () => {
    const { admin } = await serveApi();
    expect(await admin("GET", "/nothing")).toMatchObject({ status: 404, body: { errno: 404 } });
    expect(await admin("PUT", "/applications")).toMatchObject({ status: 405 });
    for (const path of ["/applications/x", "/deliveries/x", "/playbooks/x"]) {
      expect(await admin("GET", path)).toMatchObject({ status: 404, body: { errno: 404 } });
    }
  });

  it("says so when the storage fails, without its reasons", async () => {
    const { admin, storage } = await serveApi();
    await storage.close();
    const { status, body } = await admin("GET", "/applications");
    expect(status).toBeGreaterThanOrEqual(500);
    expect(Object.keys(body)).toHaveLength(6);
  });
});

describe("applications", () => {
  it("are made with a key and a secret that are shown once", async () => {
    const { admin, get, path } = await serveApi();
    const { status, body } = await admin("POST", "/applications", {
      name: "crm",
      kind: "sandbox",
      webhookUrl: "https://hooks.test/a",
    });
    expect(status).toBe(201);
    const { application, key, secret } = body as { application: Json; key: string; secret: string };
    expect(application).toMatchObject({
      name: "crm",
      kind: "sandbox",
      environment: "production",
      createdAt: "2023-11-14T22:13:20.000000+00:00",
    });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect((await get("/v1/ips/8.8.8.8", [["X-API-Key", key]])).status).toBe(200);

    const shown = await admin("GET", `/applications/${String(application["id"])}`);
    const text = JSON.stringify([shown.body, (await admin("GET", "/applications")).body]);
    expect(text).not.toContain(key);
    expect(text).not.toContain(secret);
    const kept = readFileSync(join(path, "riskgate.db-wal"), "latin1");
    expect(kept).not.toContain(key);
  });

  it("change, are disabled and enabled, and go", async () => {
    const { admin, application, calls } = await serveApi();
    const path = `/applications/${application.id}`;
    const changed = await admin("PATCH", path, {
      webhookUrl: "http://x.test",
      eventKinds: ["xss"],
    });
    expect(changed.body).toMatchObject({
      application: { webhookUrl: "http://x.test", eventKinds: ["xss"], name: "shop" },
    });
    expect((await admin("PATCH", path, { webhookUrl: null })).body).toMatchObject({
      application: { webhookUrl: null, eventKinds: ["xss"] },
    });
    expect((await admin("POST", `${path}/disable`)).body).toMatchObject({
      application: { disabledReason: "disabled by an operator" },
    });
    expect((await admin("POST", `${path}/enable`)).body).toMatchObject({
      application: { disabledAt: null },
    });
    expect(calls.filter(([name]) => name === "wake")).toHaveLength(3);
    expect((await admin("DELETE", path)).body).toEqual({ deleted: true });
    expect((await admin("DELETE", path)).status).toBe(404);
  });

  it.each([
    ["ftp://x.test/"],
    ["x.test/hook"],
    ["https://user:word@x.test/"],
    ["https://user@x.test/"],
    ["https://x.test/#part"],
    [`https://x.test/${"a".repeat(2_048)}`],
    ["https:///hook"],
    ["https://"],
    ["//x.test"],
    ["http:// x.test"],
    ["javascript:alert(1)"],
    [42],
    [["https://x.test"]],
  ])("DSP-19 refuse the webhook URL %j and store nothing", async (webhookUrl) => {
    const { admin, application, storage } = await serveApi();
    const created = await admin("POST", "/applications", { name: "crm", webhookUrl });
    const changed = await admin("PATCH", `/applications/${application.id}`, { webhookUrl });
    for (const { status, body } of [created, changed]) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 400, errno: 400 });
      expect(body["details"]).toContain("webhookUrl");
    }
    expect(await storage.applications.list()).toEqual([application]);
  });

  it.each([
    ["http://127.0.0.1:3000/hook", "127.0.0.1"],
    ["http://2130706433/", "127.0.0.1"],
    ["http://[::1]/", "::1"],
    ["http://localhost:3000/hook", "127.0.0.1"],
    ["http://inside.test/hook", "10.0.0.7"],
    ["http://169.254.169.254/latest", "169.254.169.254"],
  ])("refuse the webhook URL %s, whose deliveries would be blocked", async (webhookUrl, ip) => {
    const { admin, application, storage } = await serveApi();
    const path = `/applications/${application.id}`;
    const created = await admin("POST", "/applications", { name: "crm", webhookUrl });
    const changed = await admin("PATCH", path, { webhookUrl });
    for (const { status, body } of [created, changed]) {
      expect(status).toBe(400);
      expect(body["details"]).toContain(`leads to ${ip}`);
      expect(body["details"]).toContain(`(--allow ${ip})`);
    }
    expect(await storage.applications.list()).toEqual([application]);

    const allowed = { webhookUrl, allowedDestinations: [ip] };
    expect((await admin("POST", "/applications", { name: "crm", ...allowed })).status).toBe(201);
    expect((await admin("PATCH", path, { allowedDestinations: [ip] })).status).toBe(200);
    expect((await admin("PATCH", path, { webhookUrl })).status).toBe(200);
  });

  it("keep a webhook URL whose network is no longer allowed, until it changes", async () => {
    const webhookUrl = "http://inside.test/";
    const { admin, application } = await serveApi({
      application: { webhookUrl, allowedDestinations: ["10.0.0.0/8"] },
    });
    const path = `/applications/${application.id}`;
    const locked = await admin("PATCH", path, { webhookUrl, allowedDestinations: [] });
    expect(locked.body).toMatchObject({ application: { webhookUrl, allowedDestinations: [] } });
    const other = await admin("PATCH", path, { webhookUrl: "http://inside.test/other" });
    expect(other.status).toBe(400);
  });

  it.each([
    [{}],
    [{ name: "" }],
    [{ name: "crm", kind: "other" }],
    [{ name: "crm", payloadTypes: [] }],
    [{ name: "crm", payloadTypes: ["pulse", "x"] }],
    [{ name: "crm", eventKinds: ["x"] }],
    [{ name: "crm", oneTypePerCall: 1 }],
    [{ name: "crm", maxBodyBytes: 10 }],
    [{ name: "crm", maxBodyBytes: "1000" }],
    [{ name: "crm", allowedDestinations: ["10.0.0.0/99"] }],
    [{ name: "crm", webhookurl: "https://x.test" }],
    [{ name: "crm", id: "0" }],
    [[]],
    ["crm"],
    [null],
  ])("refuse the settings %j", async (settings) => {
    const { admin, storage } = await serveApi();
    expect((await admin("POST", "/applications", settings)).status).toBe(400);
    expect(await storage.applications.list()).toHaveLength(1);
  });
});

describe("keys and secrets", () => {
  it("are added, listed without their text, and revoked at once", async () => {
    const { admin, application, get } = await serveApi();
    const path = `/applications/${application.id}/keys`;
    const { status, body } = await admin("POST", path, {});
    expect(status).toBe(201);
    const { key, record } = body as { key: string; record: { id: string } };
    const ask = async () => (await get("/v1/ips/8.8.8.8", [["X-API-Key", key]])).status;
    expect(await ask()).toBe(200);
    const keys = listIn((await admin("GET", path)).body, "keys");
    expect(keys).toHaveLength(2);
    expect(JSON.stringify(keys)).not.toContain(key);

    expect((await admin("DELETE", `${path}/${record.id}`)).status).toBe(200);
    expect(await ask()).toBe(401);
    expect((await admin("DELETE", `${path}/${record.id}`)).status).toBe(404);
    expect((await admin("POST", "/applications/x/keys")).status).toBe(404);
  });

  it("rotate with an overlap", async () => {
    const { admin, application, storage, clock } = await serveApi();
    const path = `/applications/${application.id}/secrets`;
    await admin("POST", path, { secret: "hook-secret-1" });
    const { status, body } = await admin("POST", path, { overlapMs: 1_000 });
    expect(status).toBe(201);
    const secrets = await storage.applications.secretsOf(application.id);
    expect(secrets.map(({ value }) => value)).toEqual([body["secret"], "hook-secret-1"]);
    expect(secrets[1]?.notAfter).toBe(clock.now + 1_000_000);
    expect(body["signsFrom"]).toBe(formatTimestamp(clock.now + 1_000_000));
    expect((await admin("POST", `${path}/finish`)).body).toEqual({ finished: true });
    expect((await admin("POST", `${path}/finish`)).body).toEqual({ finished: false });
    expect((await admin("POST", "/applications/x/secrets/finish")).status).toBe(404);
    expect((await admin("POST", path, { overlapMs: 0 })).body).toMatchObject({ signsFrom: null });
    expect(JSON.stringify((await admin("GET", path)).body)).not.toContain("hook-secret-1");
    const control = { secret: "hook-secret-1\0" };
    for (const wrong of [{ secret: "  " }, { secret: 1 }, control, { overlapMs: -1 }, []]) {
      expect((await admin("POST", path, wrong)).status).toBe(400);
    }
  });
});

describe("names that people choose", () => {
  it.each(["\u0000", "a\u001b[2J", "a\nb", "\ud800"])("are refused as %j", async (name) => {
    const { admin, application } = await serveApi();
    const rule = { name, when: { flags: { any: ["is_tor"] } }, outcome: "reject" };
    const playbook = { name, rule: { genres: ["account_takeover"] } };
    const path = `/applications/${application.id}`;
    expect((await admin("PATCH", path, { name })).status).toBe(400);
    expect((await admin("POST", `${path}/playbooks`, playbook)).status).toBe(400);
    if (name !== "a\nb") expect((await admin("PUT", "/rules", { rules: [rule] })).status).toBe(400);
  });
});

describe("what is asked for", () => {
  const playbook = { name: "block", rule: { genres: ["account_takeover"] } };

  it.each([
    ["/applications", { name: "Shop", webhookURL: "https://shop.example/hook" }],
    ["/applications/:id/keys", { scopes: "report" }],
    ["/applications/:id/secrets", { overlapHours: 0 }],
    ["/applications/:id/verify", { body: "[]", signature: "0", secret: "x" }],
    ["/applications/:id/playbooks", { ...playbook, active: false }],
    ["/applications/:id/playbooks", { ...playbook, rule: { ...playbook.rule, windowMs: 5_000 } }],
    ["/applications/:id/playbooks", { ...playbook, response: { duration: 60_000 } }],
    ["/applications/:id/playbooks/dry-run", { ...playbook, days: 1, hours: 2 }],
    ["/rules/check", { text: "{}", vocabulary: "gate" }],
    ["/rules/dry-run", { rules: [], hours: 2 }],
    ["/erasures", { ip: "192.0.2.1", dryRun: true }],
  ])("POST %s refuses members that it does not know: %j", async (path, body) => {
    const { admin, application } = await serveApi();
    const answer = await admin("POST", path.replace(":id", application.id), body);
    expect(answer.status).toBe(400);
  });

  it.each([
    "/deliveries?State=dead",
    "/incidents?application=x",
    "/events?account_id=x",
    "/decisions?before=1",
    "/rehearsal?reject=90",
    "/applications/:id/incidents?closed=true",
    "/applications/:id/events?genre=x",
    "/applications/:id/responses?since=1",
  ])("GET %s refuses a filter that it does not know", async (path) => {
    const { admin, application } = await serveApi();
    const answer = await admin("GET", path.replace(":id", application.id));
    expect(answer.status).toBe(400);
  });
});

describe("playbooks", () => {
  const playbook = { name: "block", rule: { kinds: ["xss"], count: 3 } };

  it("are made whole, changed and removed", async () => {
    const { admin, application } = await serveApi();
    const path = `/applications/${application.id}/playbooks`;
    const made = await admin("POST", path, playbook);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      playbook: {
        name: "block",
        enabled: true,
        rule: { kinds: ["xss"], count: 3, per: "address" },
      },
    });
    const { id } = (made.body as { playbook: { id: string } }).playbook;
    expect((await admin("PATCH", `/playbooks/${id}`, { enabled: false })).body).toMatchObject({
      playbook: { enabled: false, rule: { count: 3 } },
    });
    expect((await admin("PATCH", `/playbooks/${id}`, { rule: {} })).status).toBe(400);
    expect(listIn((await admin("GET", path)).body, "playbooks")).toHaveLength(1);
    expect((await admin("DELETE", `/playbooks/${id}`)).status).toBe(200);
    expect((await admin("GET", `/playbooks/${id}`)).status).toBe(404);
  });

  it("are refused when they cannot be read", async () => {
    const { admin, application, storage } = await serveApi();
    const path = `/applications/${application.id}/playbooks`;
    for (const wrong of [{}, { name: "x" }, { ...playbook, rule: { kinds: ["nothing"] } }, []]) {
      expect((await admin("POST", path, wrong)).status).toBe(400);
    }
    expect(await storage.playbooks.list()).toEqual([]);
  });
});

describe("deliveries", () => {
  it("are listed by page, shown with their attempts, and retried", async () => {
    const { admin, application, storage } = await serveApi();
    const made = await storage.deliveries.create(
      application.id,
      [1, 2, 3].map(() => ({ body: Buffer.from("[]"), seqs: [] })),
    );
    const [id = ""] = made.map((delivery) => delivery.id);
    const list = async (query: string) =>
      listIn((await admin("GET", `/deliveries?${query}`)).body, "deliveries");
    expect(await list("limit=2")).toHaveLength(2);
    expect(await list(`beforeSeq=${made[1]?.seq}`)).toHaveLength(1);
    expect(await list(`applicationId=${application.id}&state=dead`)).toEqual([]);
    for (const wrong of ["limit=0", "limit=x", "state=lost", "limit=1001"]) {
      expect((await admin("GET", `/deliveries?${wrong}`)).status).toBe(400);
    }

    expect((await admin("POST", `/deliveries/${id}/retry`)).body).toMatchObject({
      delivery: { id, state: "pending" },
    });
    const attempt = { startedAt: 1, durationMs: 2, status: 500, error: null, location: null };
    const result = { state: "dead" } as const;
    await storage.deliveries.recordAttempts(
      made
        .slice(0, 1)
        .map((delivery) => ({ delivery, attempt: { ...attempt, excerpt: "no" }, result })),
    );
    expect((await admin("GET", `/deliveries/${id}`)).body).toMatchObject({
      delivery: { id, state: "dead", lastStatus: 500 },
      attempts: [{ number: 1, startedAt: "1970-01-01T00:00:00.000001+00:00", excerpt: "no" }],
    });
    expect((await admin("POST", `/deliveries/${id}/retry`)).body).toMatchObject({
      delivery: { state: "pending" },
    });
    expect((await admin("POST", "/deliveries/x/retry")).status).toBe(404);
  });

  it("are tried with a test payload", async () => {
    const { admin, application, calls } = await serveApi();
    const { status, body } = await admin("POST", `/applications/${application.id}/test`);
    expect([status, body]).toEqual([202, { id: "0".repeat(32) }]);
    expect(calls).toEqual([["sendTest", application.id]]);
    expect((await admin("POST", "/applications/x/test")).status).toBe(404);
  });
});

describe("reports", () => {
  it("go to the intake as they are", async () => {
    const { admin, application, calls } = await serveApi();
    const path = `/applications/${application.id}`;
    expect((await admin("POST", `${path}/events`, [{ kind: "xss" }])).body).toEqual(REPORT);
    await admin("POST", `${path}/logins`, [{ account: "a" }]);
    await admin("POST", `${path}/counters`, { http4xx: 3 });
    // The operator sees what follows.
    const waiting = { waitMs: 10_000, onStored: expect.any(Function) as unknown };
    expect(calls).toEqual([
      ["report", application.id, [{ kind: "xss" }], waiting],
      ["outcomes", application.id, [{ account: "a" }], waiting],
      ["counters", application.id, { http4xx: 3 }, waiting],
    ]);
    expect((await admin("POST", "/applications/x/events", [])).status).toBe(404);
  });

  it("are shown as events, incidents and responses", async () => {
    const { admin, application, storage, clock } = await serveApi();
    await storeEvents(storage, application.id, [
      {
        id: "e1",
        kind: "xss",
        category: "injection",
        occurredAt: clock.now,
        highRisk: true,
        payload: { a: 1 },
      },
    ]);
    const at = { startedAt: clock.now, endedAt: null, updatedAt: clock.now };
    await storage.incidents.save([
      {
        id: "i1",
        applicationId: application.id,
        genre: "injection_xss",
        subject: "",
        payload: {},
        state: { secret: "of the rules" },
        ...at,
      },
    ]);
    const read = async (what: string) =>
      (await admin("GET", `/applications/${application.id}/${what}`)).body;
    expect(await read("events?kind=xss")).toMatchObject({
      events: [{ id: "e1", payload: { a: 1 } }],
    });
    expect(await read("events?kind=lfi")).toEqual({ events: [] });
    const incidents = await read("incidents?open=true");
    expect(incidents).toMatchObject({ incidents: [{ id: "i1", endedAt: null }] });
    expect(JSON.stringify(incidents)).not.toContain("of the rules");
    expect(await read("incidents?open=false")).toEqual({ incidents: [] });
    expect(await read("responses")).toEqual({ responses: [] });
  });
});

describe("maintenance", () => {
  it("erases an address or an account, in its normal form", async () => {
    const { admin, erased } = await serveApi();
    const answer = await admin("POST", "/erasures", { ip: "::ffff:1.2.3.4" });
    expect(answer.body).toMatchObject({ erased: { ledgerEntries: 0, deliveries: 0 } });
    await admin("POST", "/erasures", { account: "A@X.Test" });
    expect(erased).toEqual([
      { type: "ip", subject: "1.2.3.4" },
      { type: "account", subject: "A@x.test" },
    ]);
    for (const wrong of [{}, { ip: "x" }, { ip: "1.2.3.4", account: "a" }, { account: "" }]) {
      expect((await admin("POST", "/erasures", wrong)).status).toBe(400);
    }
    expect(erased).toHaveLength(2);
  });

  it("lists and reloads feeds", async () => {
    const { admin } = await serveApi();
    const feeds = listIn((await admin("GET", "/feeds")).body, "feeds");
    expect(feeds.map(({ kind }) => kind)).toEqual(["tor", "datacenter", "disposable"]);
    expect((await admin("POST", "/feeds/reload", {})).status).toBe(200);
  });
});
