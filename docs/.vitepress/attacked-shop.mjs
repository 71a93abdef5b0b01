import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, createReporter, createRiskClient, createVelocity } from "@riskgate/core";
import { createServiceDecisionLog } from "@riskgate/core/log";
import { createService } from "@riskgate/service";
import { createSignUpTrace, serveHttp } from "@riskgate/testing";

export const ADMIN_TOKEN = "administration-token-of-the-pictures";

const HOUR_MS = 3_600_000;
const STEP_MS = HOUR_MS / 12;
/** Start and end of the attack, before the picture. */
const ATTACK_FROM_MS = 45 * 60_000;
const ATTACK_UNTIL_MS = 5 * 60_000;
const TOR_EXITS = Array.from({ length: 6 }, (_, index) => `185.220.101.${index + 1}`);
const HOSTING = "45.83.64.0/24";
/** Large enough that no machine, however busy, exceeds it. */
const PATIENT_MS = 60_000;

/**
 * Starts a service, plays a day at a shop to it, and resolves once every delivery has arrived. The
 * day is {@link createSignUpTrace}, with logins, and with a credential-stuffing attack in its last
 * hour. The process's clock runs a day behind at first, and catches up while the day is played.
 */
export async function openAttackedShop() {
  const clock = startClock(24 * HOUR_MS);
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-pictures-"));
  const service = await createService({
    dataDir,
    adminToken: ADMIN_TOKEN,
    feeds: [
      { kind: "tor", name: "tor-exits", entries: TOR_EXITS, source: "https://feeds.example/tor" },
      { kind: "attacker", name: "attackers", entries: TOR_EXITS.slice(0, 3) },
      { kind: "datacenter", name: "hosting", entries: [HOSTING], source: "https://feeds.example" },
    ],
  });
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const receiver = await serveHttp((request, response) => {
    request.resume().once("end", () => response.writeHead(204).end());
  });
  const admin = adminOf(adminUrl);
  const shop = await createShop(admin, `http://127.0.0.1:${receiver.port}/webhooks/security`);
  const client = openClient(url, shop);

  for (const visits of steps(createSignUpTrace({ seed: 7, visitors: 900, attackShare: 0.1 }))) {
    await playStep(client, visits, clock.behindMs());
    clock.advance(STEP_MS);
  }
  await client.close();
  await untilDelivered(admin);
  return {
    consoleUrl: adminUrl,
    async close() {
      await service.close();
      await receiver.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** @param {number} startMs How far behind it starts. */
function startClock(startMs) {
  const realNow = Date.now;
  let behindMs = startMs;
  Date.now = () => realNow() - behindMs;
  return {
    behindMs: () => behindMs,
    /** @param {number} ms */
    advance(ms) {
      behindMs = Math.max(0, behindMs - ms);
    },
  };
}

/**
 * Members of all answers together.
 *
 * @typedef {object} Answer
 * @property {{ id: string }} application
 * @property {string} key
 * @property {readonly object[]} deliveries
 */

/** @param {string} adminUrl */
function adminOf(adminUrl) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<Answer>}
   */
  return async (method, path, body) => {
    const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return /** @type {Promise<Answer>} */ (answer.json());
  };
}

/**
 * @param {ReturnType<typeof adminOf>} admin
 * @param {string} webhookUrl
 */
async function createShop(admin, webhookUrl) {
  const allowedDestinations = ["127.0.0.0/8"];
  const { application, key } = await admin("POST", "/applications", {
    name: "Shop",
    webhookUrl,
    allowedDestinations,
  });
  const path = `/applications/${application.id}`;
  const report = await admin("POST", `${path}/keys`, { scope: "report" });
  await admin("POST", `${path}/playbooks`, {
    name: "Block password guessing",
    rule: { kinds: ["auth_bruteforce", "auth_scan"], count: 1 },
  });
  return { apiKey: key, reportKey: report.key };
}

/**
 * The gate and the reporter of the shop.
 *
 * @param {string} baseUrl
 * @param {{ apiKey: string, reportKey: string }} keys
 */
function openClient(baseUrl, { apiKey, reportKey }) {
  const lookup = createRiskClient({ baseUrl, apiKey, timeoutMs: PATIENT_MS, cache: false });
  const reporter = createReporter({ baseUrl, reportKey, timeoutMs: PATIENT_MS });
  const log = createServiceDecisionLog({
    baseUrl,
    reportKey,
    secret: "a secret of at least thirty-two bytes",
  });
  const gate = createGate({ lookup, log, velocity: createVelocity(), budgetMs: PATIENT_MS });
  return {
    gate,
    reporter,
    async close() {
      await reporter.close();
      await log.close();
      await lookup.close();
    },
  };
}

/** @param {ReturnType<typeof createSignUpTrace>} trace */
function steps(trace) {
  return Array.from({ length: (24 * HOUR_MS) / STEP_MS }, (_, step) =>
    trace.filter(({ atMs }) => Math.floor(atMs / STEP_MS) === step),
  );
}

/**
 * @param {ReturnType<typeof openClient>} client
 * @param {ReturnType<typeof createSignUpTrace>} visits
 * @param {number} behindMs
 */
async function playStep({ gate, reporter }, visits, behindMs) {
  for (const [index, { ip, email }] of visits.entries()) {
    await gate.decide({ ip, email }, { route: "POST /signup" });
    // People who have an account log in; one in ten mistypes the password first.
    if (index % 10 === 0) reporter.login({ account: email, address: ip, success: false });
    reporter.login({ account: email, address: ip, success: true });
  }
  if (behindMs === 9 * HOUR_MS) {
    reporter.event({ kind: "sql_injection", address: "45.83.64.9", blocked: true });
  }
  if (behindMs <= ATTACK_FROM_MS && behindMs > ATTACK_UNTIL_MS) await attack({ gate, reporter });
  await reporter.flush();
}

/** @param {Pick<ReturnType<typeof openClient>, "gate" | "reporter">} client */
async function attack({ gate, reporter }) {
  for (let attempt = 0; attempt < 90; attempt++) {
    const address = TOR_EXITS[attempt % TOR_EXITS.length] ?? "";
    const account = `customer${attempt}@shop.example`;
    reporter.login({ account, address, success: attempt === 89 });
    if (attempt % 3 === 0) {
      await gate.decide({ ip: address, email: `robot${attempt}@mailinator.com` });
    }
  }
}

/** @param {ReturnType<typeof adminOf>} admin */
async function untilDelivered(admin) {
  const deadline = performance.now() + PATIENT_MS;
  for (;;) {
    const { deliveries } = await admin("GET", "/deliveries?state=delivered");
    const waiting = await admin("GET", "/deliveries?state=pending");
    if (deliveries.length > 0 && waiting.deliveries.length === 0) return;
    if (performance.now() > deadline) throw new Error("some deliveries have not arrived");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
