import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBlockList,
  createReporter,
  createRiskClient,
  createVelocity,
  type Decision,
  type Incident,
  type Outcome,
  type SecurityEvent,
  type SecurityResponse,
} from "@riskgate/core";
import type { Rule } from "@riskgate/core/rules";
import { loginWatch, riskGate, webhookRoute } from "@riskgate/express";
import { createService } from "@riskgate/service";
import { serveHttp } from "@riskgate/testing";
import express, { type RequestHandler } from "express";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";

const ADMIN_TOKEN = "choose-a-long-random-token";

/** Ten operator rules that do not match these traces, but run for every request. */
const RULES: readonly Rule[] = [
  { name: "country", when: { country: ["AQ", "BVT"] }, outcome: "flag" },
  { name: "system", when: { asn: [64_500] }, outcome: "reject" },
  { name: "partner", when: { domain: ["partner.example"] }, outcome: "allow" },
  { name: "new domain", when: { domainAgeUnknown: false, scoreAbove: 30 }, outcome: "flag" },
  { name: "Tor", when: { flags: { any: ["is_tor"] } }, outcome: "reject" },
  { name: "hosting", when: { flags: { all: ["is_datacenter"] } }, outcome: "flag" },
  { name: "no mail", when: { flags: { all: ["is_undeliverable"] } }, outcome: "challenge" },
  { name: "administration", when: { path: ["/admin/*"] }, outcome: "reject" },
  { name: "abroad", when: { country: ["NZL"], path: ["/signup"] }, outcome: "flag" },
  { name: "malformed", when: { flags: { all: ["is_email_malformed"] } }, outcome: "reject" },
];

/** One line of the table that the run prints. */
interface Row {
  readonly trace: string;
  readonly requests: number;
  /** Number of the request that first got each outcome; 0 for never. */
  readonly flag: number;
  readonly challenge: number;
  readonly reject: number;
  readonly reported: number;
  readonly events: string;
  readonly incidents: string;
  readonly responses: number;
  /** Time from the first request to the response in the block list; 0 without a response. */
  readonly blockedAfterMs: number;
  readonly seconds: number;
}
const rows: Row[] = [];
afterAll(() => console.table(rows));

/** Starts a shop with all protections, and its service. */
async function openShop() {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-protection-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const service = await createService({ dataDir, adminToken: ADMIN_TOKEN });
  onTestFinished(() => service.close());
  const { url: baseUrl, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });

  const events: SecurityEvent[] = [];
  const incidents = new Map<string, Incident>();
  const responses: SecurityResponse[] = [];
  const blockList = createBlockList();
  let blockedAtMs = 0;
  let secrets = "set-when-the-application-is-made";
  let webhook: RequestHandler | undefined;

  const app = express();
  app.post("/webhooks/security", (request, response, next) => {
    webhook ??= webhookRoute({
      secrets,
      on: {
        security_event: (event) => void events.push(event),
        pulse: (incident) => void incidents.set(incident.id ?? "", incident),
        security_response(response_) {
          responses.push(response_);
          blockList.apply(response_);
          blockedAtMs ||= performance.now();
        },
      },
    });
    void webhook(request, response, next);
  });
  const { port, close } = await serveHttp(app, "127.0.0.1");
  onTestFinished(close);
  const shop = `http://127.0.0.1:${port}`;

  const admin = async <T>(method: string, path: string, body: object): Promise<T> => {
    const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const made = await admin<{ application: { id: string }; key: string; secret: string }>(
    "POST",
    "/applications",
    {
      name: "Shop",
      webhookUrl: `${shop}/webhooks/security`,
      allowedDestinations: ["127.0.0.0/8"],
    },
  );
  secrets = made.secret;
  const path = `/applications/${made.application.id}`;
  const { key: reportKey } = await admin<{ key: string }>("POST", `${path}/keys`, {
    scope: "report",
  });
  await admin("POST", `${path}/playbooks`, {
    name: "Block password guessing",
    rule: { kinds: ["auth_bruteforce", "auth_scan"], count: 1 },
  });

  const reporter = createReporter({
    baseUrl,
    reportKey,
    intervalMs: 20,
    timeoutMs: 60_000,
    flushTimeoutMs: 60_000,
  });
  onTestFinished(() => reporter.close());
  const lookup = createRiskClient({
    baseUrl,
    apiKey: made.key,
    cache: { ttlMs: 100 },
    timeoutMs: 60_000,
  });
  onTestFinished(() => lookup.close());
  const decisions: Decision[] = [];
  const shared = {
    lookup,
    blockList,
    trustedProxies: ["loopback"],
    rules: RULES,
    challengeAbove: 60,
    challenge: { secrets: "a secret of at least thirty-two bytes" },
    verifyChallenge: () => false,
    budgetMs: 60_000,
    onDecision: (decision: Decision) => void decisions.push(decision),
  };
  const failedLogins = createVelocity({ counts: "failed_logins" });
  app.use(express.json());
  app.post(
    "/login",
    riskGate({ ...shared, velocity: failedLogins }),
    loginWatch({ reporter, velocity: failedLogins, trustedProxies: ["loopback"] }),
    (_request, response) => void response.sendStatus(401),
  );
  app.post("/signup", riskGate({ ...shared, velocity: createVelocity() }), (_request, response) => {
    response.sendStatus(201);
  });

  const send = async (route: string, email: string, ip: string): Promise<number> => {
    const answer = await fetch(shop + route, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": ip },
      body: JSON.stringify({ email }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  /** Sends a trace, one request after the other, and records the outcomes. */
  const play = async (
    trace: string,
    route: string,
    visits: readonly (readonly [string, string])[],
    { isAnswered = true } = {},
  ) => {
    const startedMs = performance.now();
    const statuses: number[] = [];
    for (const [email, ip] of visits) statuses.push(await send(route, email, ip));
    await reporter.flush();
    const reported = reporter.stats().accepted;
    if (reported > 0) {
      if (isAnswered) await expect.poll(() => responses.length).toBeGreaterThan(0);
      await expect.poll(() => incidents.size).toBeGreaterThan(0);
    }
    const first = (outcome: Outcome): number =>
      decisions.findIndex((decision) => decision.outcome === outcome) + 1;
    rows.push({
      trace,
      requests: visits.length,
      flag: first("flag"),
      challenge: first("challenge"),
      reject: first("reject"),
      reported,
      events: [...new Set(events.map(({ event_kind: kind }) => kind))].join(),
      incidents: [...new Set([...incidents.values()].map((one) => one.pulse_genre))].join(),
      responses: responses.length,
      blockedAfterMs: blockedAtMs === 0 ? 0 : Math.round(blockedAtMs - startedMs),
      seconds: Math.round((performance.now() - startedMs) / 100) / 10,
    });
    return statuses;
  };

  /** Waits until a response of the service has blocked an address. */
  const blocked = async (address: string): Promise<void> =>
    expect.poll(() => blockList.blocksIp(address)).toBe(true);
  /** Waits until the service has delivered an incident of this genre. */
  const told = async (genre: string): Promise<void> =>
    expect.poll(() => [...incidents.values()].map((one) => one.pulse_genre)).toContain(genre);

  return { decisions, send, play, blocked, told };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("a shop with gate, watch and service", () => {
  it("stops credential stuffing: one network, many accounts", async () => {
    const { play, send, decisions, blocked, told } = await openShop();
    const visits = times(400, (n) => [`user-${n}@shop.example`, `8.8.8.${n % 4}`] as const);
    const statuses = await play("credential stuffing", "/login", visits);
    expect(decisions[0]?.outcome).toBe("allow");
    // The password is checked only while nothing is suspicious.
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(200);
    expect(statuses.at(-1)).toBe(403);
    await told("account_enumeration");
    await blocked("8.8.8.0");
    expect(await send("/login", "user-1@shop.example", "8.8.8.0")).toBe(403);
    expect(decisions.at(-1)).toMatchObject({ outcome: "reject", because: "blocked" });
    expect(await send("/login", "bob@shop.example", "9.9.9.9")).toBe(401);
  });

  it("challenges if many networks try one account, and lets its owner in", async () => {
    const { play, send, decisions, told } = await openShop();
    const visits = times(200, (n) => ["ann@shop.example", `${20 + (n % 50)}.${n}.7.9`] as const);
    // The account is named, and no address: there is nobody to block.
    await play("brute force", "/login", visits, { isAnswered: false });
    expect(decisions[0]?.outcome).toBe("allow");
    const last = decisions.at(-1);
    // An attacker must not lock the owner out: logins from new places are challenged, not refused.
    expect(last?.outcome).toBe("challenge");
    expect(last?.velocity?.signals[0]?.name).toBe("mailbox");
    await told("account_takeover");
    await send("/login", "ann@shop.example", "20.0.7.9");
    expect(decisions.at(-1)?.outcome).toBe("challenge");
  });

  it("challenges a flood of sign-ups with aliases of one mailbox", async () => {
    const { play, decisions } = await openShop();
    const visits = times(200, (n) => [`ann+${n}@gmail.com`, `${20 + (n % 50)}.${n}.7.9`] as const);
    const statuses = await play("sign-ups with aliases", "/signup", visits);
    expect(decisions[0]?.outcome).toBe("allow");
    // A mailbox belongs to its owner, not to the sender: nobody is refused for it.
    expect(decisions.at(-1)?.outcome).toBe("challenge");
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(4);
    expect(decisions.at(-1)?.velocity?.signals[0]).toMatchObject({ name: "mailbox" });
  });
});
