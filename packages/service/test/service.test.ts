import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBlockList,
  createGate,
  createRiskClient,
  type Incident,
  type RiskClient,
  type SecurityEvent,
} from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import { lookupContract } from "@riskgate/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createService, type Service, type ServiceOptions } from "../src/index.js";

const ADMIN_TOKEN = "administration-token-1";
const ATTACKER = "192.52.193.200";
const closers: (() => Promise<unknown>)[] = [];

async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}
afterEach(closeAll);

async function newDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-service-"));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function start(options: Partial<ServiceOptions> = {}): Promise<Running> {
  const dataDir = options.dataDir ?? (await newDirectory());
  const delivery = { maxWaitMs: 0 };
  const service = await createService({ adminToken: ADMIN_TOKEN, delivery, ...options, dataDir });
  closers.push(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const admin = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        "content-type": "application/json",
        // What is kept alive would make the service wait when it closes.
        connection: "close",
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status, path).toBeLessThan(300);
    return (await response.json()) as T;
  };
  return { service, url, adminUrl, dataDir, admin };
}

interface Running {
  readonly service: Service;
  readonly url: string;
  readonly adminUrl: string;
  readonly dataDir: string;
  readonly admin: <T>(path: string, body?: object) => Promise<T>;
}

interface Created {
  readonly application: { readonly id: string };
  readonly key: string;
  readonly secret: string;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(baseUrl: string, apiKey: string): RiskClient {
  const client = createRiskClient({ baseUrl, apiKey, cache: false, timeoutMs: 30_000 });
  closers.push(() => client.close());
  return client;
}

/** Report attacks by one account; the genres of the incidents that follow. */
async function attackOf(admin: Running["admin"], id: string): Promise<readonly string[]> {
  const keys = [{ name: "email", value: "ada@shop.example" }];
  const event = { event_kind: "xss", application_account_account_keys: keys };
  await admin(
    `/applications/${id}/events`,
    Array.from({ length: 20 }, () => event),
  );
  const { incidents } = await admin<{ incidents: { genre: string }[] }>(
    `/applications/${id}/incidents`,
  );
  return incidents.map(({ genre }) => genre);
}

describe("createService", () => {
  it("blocks an attacker from report to gate", async () => {
    const blockList = createBlockList();
    const events: SecurityEvent[] = [];
    const incidents: Incident[] = [];
    const receiver = createServer();
    const webhookUrl = await listen(receiver);

    const { url, admin } = await start();
    const { application, key, secret } = await admin<Created>("/applications", {
      name: "Shop",
      webhookUrl,
      allowedDestinations: ["127.0.0.0/8"],
    });
    const endpoint = createWebhookEndpoint({
      secrets: secret,
      on: {
        security_event: (event) => void events.push(event),
        pulse: (incident) => void incidents.push(incident),
        security_response: (response) => void blockList.apply(response),
      },
    });
    receiver.on("request", (request, response) => {
      void endpoint.answer(request).then(({ status, headers, body }) => {
        response.writeHead(status, headers).end(body);
      });
    });
    await admin(`/applications/${application.id}/playbooks`, {
      name: "Block SQL injection",
      rule: { kinds: ["sql_injection"], count: 2 },
      response: { durationMs: 60_000 },
    });

    const gate = createGate({ lookup: clientOf(url, key), blockList, budgetMs: 30_000 });
    expect(await gate.decide({ ip: ATTACKER })).toMatchObject({ outcome: "allow", score: 0 });

    const injection = { event_kind: "sql_injection", ips: [ATTACKER] };
    await admin(`/applications/${application.id}/events`, [injection, injection]);

    await vi.waitFor(() => expect(blockList.blocksIp(ATTACKER)).toBe(true), { timeout: 60_000 });
    expect(events.map((event) => event.event_kind)).toEqual(["sql_injection", "sql_injection"]);
    expect(incidents[0]).toMatchObject({ pulse_genre: "injection_sql", ip_addresses_count: 1 });
    expect(await gate.decide({ ip: ATTACKER })).toMatchObject({
      outcome: "reject",
      because: "blocked",
    });
  });

  it("remembers an attacker over a restart", async () => {
    const first = await start();
    const { application } = await first.admin<Created>("/applications", { name: "Shop" });
    const account = { name: "email", value: "eve@example.com" };
    const report = { event_kind: "sql_injection", application_account_account_keys: [account] };
    await first.admin(`/applications/${application.id}/events`, [{ ...report, ips: [ATTACKER] }]);
    await first.service.close();

    const second = await start({ dataDir: first.dataDir });
    const { key } = await second.admin<{ key: string }>(`/applications/${application.id}/keys`, {});
    const assessment = await clientOf(second.url, key).lookupIp(ATTACKER);
    expect(assessment).toMatchObject({
      is_known_attacker: true,
      security_events_count: 1,
      high_risk_security_events_count: 1,
      risk_score: 80,
    });
  });

  it("gives the program that runs it the valid signing secrets", async () => {
    const { service, admin } = await start();
    const { application, secret } = await admin<Created>("/applications", { name: "Shop" });
    const { id } = application;
    expect(await service.signingSecrets(id)).toEqual([secret]);
    const rotated = await admin<{ secret: string }>(`/applications/${id}/secrets`, {});
    expect(await service.signingSecrets(id)).toEqual([rotated.secret, secret]);
    await admin(`/applications/${id}/secrets/finish`, {});
    expect(await service.signingSecrets(id)).toEqual([rotated.secret]);
    expect(await service.signingSecrets("nope")).toEqual([]);
  });

  it("forgets an address that is erased", async () => {
    const { url, admin } = await start();
    const { application, key } = await admin<Created>("/applications", { name: "Shop" });
    const event = { event_kind: "sql_injection", ips: [ATTACKER] };
    await admin(`/applications/${application.id}/events`, [event]);
    await admin("/erasures", { ip: ATTACKER });
    const assessment = await clientOf(url, key).lookupIp(ATTACKER);
    expect(assessment).toMatchObject({ is_known_attacker: false, security_events_count: 0 });
  });

  it("keeps its rules over a restart, and judges accounts without them", async () => {
    const rule = { name: "ours", when: { domain: ["shop.example"] }, outcome: "allow" };
    const first = await start();
    const { key, application } = await first.admin<Created>("/applications", { name: "Shop" });
    const put = await fetch(`${first.adminUrl}/admin/v1/rules`, {
      method: "PUT",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ rules: [rule] }),
    });
    expect(put.status).toBe(200);
    await first.service.close();
    const { admin, url } = await start({ dataDir: first.dataDir });
    const genres = await attackOf(admin, application.id);
    expect(genres).toContain("user_risk_increased");
    expect((await clientOf(url, key).lookupEmail("ada@shop.example")).risk_score).toBe(40);
  });

  it("judges accounts where the check of their domains has no answer", async () => {
    // Nothing listens on this port.
    const { admin } = await start({ mx: { servers: ["127.0.0.1:9"], timeoutMs: 30_000 } });
    const { application } = await admin<Created>("/applications", { name: "Shop" });
    expect(await attackOf(admin, application.id)).toContain("user_risk_increased");
  });

  it.each(["javascript:alert(1)", "https://", "ops.example", "https://ops.example/a\r\nb"])(
    "refuses %j as the start of links",
    async (dashboardUrl) => {
      await expect(start({ dashboardUrl })).rejects.toThrow("`dashboardUrl`");
    },
  );

  it.each<[string, Partial<ServiceOptions>, (adminUrl: string) => string]>([
    ["to the console", {}, (adminUrl) => `${adminUrl}/console`],
    [
      "to the console behind a proxy",
      { adminOrigin: "https://risk.example" },
      () => "https://risk.example/console",
    ],
    [
      "where it is told to",
      { dashboardUrl: "https://ops.example/risk" },
      () => "https://ops.example/risk",
    ],
    ["to this machine without a console", { console: false }, () => "http://localhost"],
  ])("leads from payloads %s", async (_what, options, dashboardOf) => {
    const { adminUrl, admin } = await start(options);
    const { application } = await admin<Created>("/applications", { name: "Shop" });
    const event = { event_kind: "auth_bruteforce_success", event_id: "a/b" };
    await admin(`/applications/${application.id}/events`, [event]);
    const { events } = await admin<{ events: { payload: SecurityEvent }[] }>("/events");
    expect(events.at(0)?.payload.event_url).toBe(`${dashboardOf(adminUrl)}/events/a%2Fb`);
    const { incidents } = await admin<{ incidents: { id: string; payload: Incident }[] }>(
      "/incidents",
    );
    expect(incidents.at(0)?.payload.url).toBe(
      `${dashboardOf(adminUrl)}/incidents/${incidents.at(0)?.id}`,
    );
  });

  it("asks for published lists when it is told to, and uses what it got", async () => {
    const list = createServer((_request, response) => response.end(`${ATTACKER}\n`));
    await new Promise<void>((resolve) => list.listen(0, "127.0.0.1", resolve));
    closers.push(() => new Promise((resolve) => list.close(resolve)));
    const { port } = list.address() as AddressInfo;
    const { admin } = await start({
      feedUpdates: {
        dir: join(await newDirectory(), "feeds"),
        everyMs: 0,
        feeds: [
          { kind: "tor", name: "exits", url: `http://127.0.0.1:${port}/list`, licence: "CC0" },
          { kind: "vpn", name: "gone", url: "http://127.0.0.1:9/list" },
        ],
      },
    });
    expect(await admin("/feeds")).toMatchObject({ feeds: [{ size: 0 }, { size: 0 }] });
    expect(await admin("/feeds/update", {})).toMatchObject({
      outcomes: [
        { name: "exits", state: "updated", reason: null },
        { name: "gone", state: "refused", reason: expect.any(String) as string },
      ],
      feeds: [{ name: "exits", size: 1, licence: "CC0" }, { size: 0 }],
    });
  });

  it("has no published lists to ask for unless it is given some", async () => {
    const { adminUrl } = await start();
    const answer = await fetch(`${adminUrl}/admin/v1/feeds/update`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, connection: "close" },
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("stores no copies of published lists");
  });

  it("is not ready while it refuses dated reports because its clock fell back", async () => {
    const { url, admin } = await start();
    const { application } = await admin<Created>("/applications", { name: "Shop" });
    const event = { event_kind: "xss", date_occurred: new Date().toISOString() };
    const report = () => admin<object>(`/applications/${application.id}/events`, [event]);
    const readiness = async () => {
      const answer = await fetch(`${url}/readyz`, { headers: { connection: "close" } });
      return [answer.status, await answer.text()];
    };
    expect(await report()).toMatchObject({ accepted: 1 });
    const right = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => right - 600_000);
    closers.push(() => Promise.resolve(clock.mockRestore()));
    expect(await report()).toMatchObject({ refused: 1 });
    expect(await readiness()).toEqual([503, expect.stringContaining("correct the clock")]);
    clock.mockRestore();
    expect((await readiness())[0]).toBe(200);
  });

  it("refuses a directory that another service holds", async () => {
    const { dataDir } = await start();
    await expect(createService({ dataDir })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("lets go of the directory when a later part fails", async () => {
    const dataDir = await newDirectory();
    const geo = join(dataDir, "missing.mmdb");
    await expect(createService({ dataDir, geo })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await start({ dataDir });
  });
});

describe("a client of the service", () => {
  const harness = {
    name: "client against service",
    async open() {
      const { url, admin } = await start();
      const { key } = await admin<Created>("/applications", { name: "Shop" });
      return { lookup: clientOf(url, key), close: closeAll };
    },
  };
  for (const check of lookupContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
