// Kills a service again and again while events are reported to it, and compares what followed from
// them, by kind and by score, with what follows in a service that is not killed.
// By hand: node packages/service/test/soak/soak-reports.mjs [kills]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleSources } from "../../../../tools/test/bundle-sources.mjs";

const ADMIN_TOKEN = "admin-token-of-the-soak";
const PROCESS = fileURLToPath(new URL("report-process.mjs", import.meta.url));
const SERVICE = await bundleSources("service", "service.ts");
/** @type {typeof import("../../src/storage/open-storage.js")} */
const { openStorage } = await import(await bundleSources("service", "storage/open-storage.ts"));

/** Reports under way at any time. */
const CLIENTS = 4;

const PLAYBOOKS = [
  { name: "by kind", rule: { kinds: ["sql_injection"] } },
  { name: "by score", rule: { accountScoreAbove: 75 } },
  { name: "by incident", rule: { genres: ["user_risk_increased"] } },
];

/**
 * @typedef {object} SoakFigures
 * @property {number} kills
 * @property {number} reports All of them acknowledged, if need be by the next process.
 * @property {number} repeated Reports that were sent again because no answer came.
 * @property {Record<string, Difference>} found What there is, compared with the run without kills.
 * @property {number} owed Applications whose log was not evaluated to its end.
 * @property {number | null} exitCode Of the last process, which was let to end by itself.
 * @property {number} seconds
 */

/** @typedef {{ expected: number, lost: number, added: number }} Difference */

/**
 * @param {number} kills
 * @returns {Promise<SoakFigures>}
 */
export async function soakReports(kills) {
  const startMs = performance.now();
  const directory = await mkdtemp(join(tmpdir(), "riskgate-soak-"));
  try {
    const killed = await reportTo(join(directory, "killed"), kills, Infinity);
    const whole = await reportTo(join(directory, "whole"), 0, killed.reports);
    const expected = new Map(Object.entries(whole.facts));
    const found = Object.fromEntries(
      Object.entries(killed.facts).map(([name, texts]) => [
        name,
        compare(texts, expected.get(name) ?? []),
      ]),
    );
    const { reports, repeated, owed, exitCode } = killed;
    const seconds = Math.round((performance.now() - startMs) / 1000);
    return { kills, reports, repeated, found, owed, exitCode, seconds };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/**
 * @param {string} dataDir
 * @param {number} kills
 * @param {number} most Reports.
 */
async function reportTo(dataDir, kills, most) {
  const applicationId = await prepare(dataDir);
  /** Reports without an answer, which are sent again. @type {number[]} */
  const unanswered = [];
  let made = 0;
  let repeated = 0;
  /** @param {string} url @param {() => number | undefined} next */
  const send = async (url, next) => {
    for (let report = next(); report !== undefined; report = next()) {
      if (!(await post(`${url}/admin/v1/applications/${applicationId}/events`, report))) {
        unanswered.push(report);
        return;
      }
    }
  };
  /** @param {string} url @param {() => number | undefined} next */
  const sendAll = (url, next) =>
    Promise.all(Array.from({ length: CLIENTS }, () => send(url, next)));
  const again = () => {
    const report = unanswered.shift();
    if (report !== undefined) repeated++;
    return report;
  };
  const another = () => (made < most ? made++ : undefined);

  for (let kill = 0; kill < kills; kill++) {
    const { child, url } = await start(dataDir);
    /** @type {() => void} */
    let onAnswer = () => {};
    const isUsed = new Promise((resolve) => (onAnswer = () => resolve(undefined)));
    let asked = 0;
    const sending = sendAll(url, () => {
      // Each client asks for another one when it has its answer.
      if (++asked > CLIENTS) onAnswer();
      return again() ?? another();
    });
    await Promise.race([isUsed, sending]);
    await sleep(Math.random() * 300);
    child.kill("SIGKILL");
    await once(child, "close");
    await sending;
  }
  const { child, url } = await start(dataDir);
  await sendAll(url, () => again() ?? (kills === 0 ? another() : undefined));
  child.kill("SIGTERM");
  const [exitCode] = await once(child, "close");
  return { reports: made, repeated, exitCode, ...(await inspect(dataDir, applicationId)) };
}

/** @param {string} dataDir */
async function prepare(dataDir) {
  const storage = await openStorage(dataDir);
  const { id } = await storage.applications.create({ name: "Shop", webhookUrl: "https://a.test/" });
  for (const playbook of PLAYBOOKS)
    await storage.playbooks.create(id, { ...playbook, response: {} });
  await storage.close();
  return id;
}

/** @param {string} dataDir */
async function start(dataDir) {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const child = spawn(process.execPath, [PROCESS, SERVICE, dataDir, ADMIN_TOKEN], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([once(lines, "line"), once(child, "close")]);
  if (typeof url !== "string") throw new Error("the service ended before it listened");
  return { child, url };
}

/**
 * Report two events: one that makes an account risky, and one of a kind that is answered.
 *
 * @param {string} url
 * @param {number} report
 * @returns {Promise<boolean>} Whether it was acknowledged.
 */
async function post(url, report) {
  const address = `${1 + (report >> 8)}.${report & 255}`;
  const account = { name: "email", value: `user${report}@shop.example` };
  const events = [
    {
      event_id: `score-${report}`,
      event_kind: "xss",
      ips: [`8.8.${address}`],
      application_account_account_keys: [account],
    },
    { event_id: `kind-${report}`, event_kind: "sql_injection", ips: [`9.9.${address}`] },
  ];
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`answered ${response.status}: ${text}`);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * What a directory holds, as texts that are the same for the same reports.
 *
 * @param {string} dataDir
 * @param {string} applicationId
 */
async function inspect(dataDir, applicationId) {
  const storage = await openStorage(dataDir);
  const limit = 1_000_000;
  const [events, responses, incidents, { entries: outbox }, owed] = await Promise.all([
    storage.events.list({ applicationId, limit }),
    storage.playbooks.responses(applicationId, limit),
    storage.incidents.list({ applicationId, limit }),
    storage.outbox.take(applicationId, limit),
    storage.log.lag(),
  ]);
  await storage.close();
  /** @param {string} name */
  const answers = (name) =>
    responses
      .map(({ payload }) => /** @type {Record<string, any>} */ (payload))
      .filter(({ playbook }) => playbook.name === name)
      .flatMap(targetsOf);
  const sent = outbox.map(({ type, payload: text }) => {
    const payload = /** @type {Record<string, any>} */ (JSON.parse(text));
    return { type, payload };
  });
  return {
    owed: owed.length,
    facts: {
      events: events.map(({ id }) => id),
      "responses by kind": answers("by kind"),
      "responses by score": answers("by score"),
      "responses by incident": answers("by incident"),
      incidents: incidents.map(({ genre, subject, state }) =>
        JSON.stringify([genre, subject, state["events"]]),
      ),
      "payloads of events": sent
        .filter(({ type }) => type === "security_event")
        .map(({ payload }) => String(payload.event_id)),
      "payloads of responses": sent
        .filter(({ type }) => type === "security_response")
        .flatMap(({ payload }) =>
          targetsOf(payload).map((target) => `${payload.playbook.name}: ${target}`),
        ),
      "payloads of incidents": sent
        .filter(({ payload }) => payload.pulse_genre === "user_risk_increased")
        .map(({ payload }) => String(payload.humanized_accounts)),
    },
  };
}

/**
 * The targets of a response: which of them share one depends on what was reported at the same time.
 *
 * @param {Record<string, any>} payload
 * @returns {string[]}
 */
function targetsOf({ properties }) {
  const { duration, ips, user_identifiers: identifiers } = properties;
  return [...ips, ...identifiers].map((target) => JSON.stringify([duration, target]));
}

/**
 * @param {readonly string[]} texts
 * @param {readonly string[]} expected
 * @returns {Difference}
 */
function compare(texts, expected) {
  const left = new Map();
  for (const text of expected) left.set(text, (left.get(text) ?? 0) + 1);
  let added = 0;
  for (const text of texts) {
    const count = left.get(text) ?? 0;
    if (count === 0) added++;
    else left.set(text, count - 1);
  }
  const lost = [...left.values()].reduce((sum, count) => sum + count, 0);
  return { expected: expected.length, lost, added };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await soakReports(Number(process.argv[2] ?? 50));
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  const differences = Object.values(figures.found).reduce(
    (sum, { lost, added }) => sum + lost + added,
    0,
  );
  process.exitCode = differences + figures.owed + (figures.exitCode ?? 1) === 0 ? 0 : 1;
}
