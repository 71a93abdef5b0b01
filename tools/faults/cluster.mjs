import { setTimeout as pause } from "node:timers/promises";
import { ServiceCluster } from "./service-cluster.mjs";

const PER_BATCH = 5;
const SENDERS = 4;
const FREEZE_MS = 13_000;
/** Failed logins that count as a brute force, by the defaults of the service. */
const FAILURES = 10;

/** @type {import("./run.mjs").Scenario} */
export const cluster = {
  name: "cluster",
  about:
    "three services on one PostgreSQL; a service is killed or stands still, or PostgreSQL is killed",
  stores: ["postgres"],
  async run({ isLong, scale }) {
    const figures = await killAmongThree({
      batches: isLong ? Math.round(50_000 * scale) : 250,
      accounts: isLong ? Math.round(500 * scale) : 10,
      kills: isLong ? Math.round(50 * scale) : 4,
      restarts: isLong ? Math.round(10 * scale) : 1,
      freezes: isLong ? Math.round(5 * scale) : 1,
    });
    const broken = [];
    const { lost, altered, missed, repeated, responses, accounts } = figures;
    if (lost > 0) broken.push(`${lost} events were accepted and not delivered`);
    if (altered > 0) broken.push(`${altered} events came again in another body`);
    if (missed > 0) broken.push(`${missed} brute forces were not reported`);
    if (repeated > 0) broken.push(`${repeated} brute forces were reported more than once`);
    if (responses !== accounts) broken.push(`${responses} responses to ${accounts} brute forces`);
    return { figures, broken };
  },
};

/**
 * @param {{ batches: number, accounts: number, kills: number, restarts: number, freezes: number }} plan
 */
async function killAmongThree({ batches, accounts, kills, restarts, freezes }) {
  const startMs = performance.now();
  const site = await ServiceCluster.open({ processes: 3, endpoints: 5 });
  try {
    for (const id of site.applications) {
      await site.send(`/applications/${id}/playbooks`, {
        name: "Brute force",
        rule: { kinds: ["auth_bruteforce"], per: "account", count: 1, windowMs: 3_600_000 },
        // So few failures name the account, and not the address.
        response: { accounts: "all" },
      });
    }
    /** @type {string[]} */
    const accepted = [];
    const work = workOf(batches, accounts);
    const total = work.length;
    const sender = async () => {
      for (let next = work.shift(); next; next = work.shift()) {
        const { application, path, body, ids = [] } = next;
        await site.send(`/applications/${site.applications[application]}/${path}`, body);
        accepted.push(...ids);
      }
    };
    const blows = [
      ...Array.from({ length: kills }, () => "service"),
      ...Array.from({ length: restarts }, () => "postgres"),
      ...Array.from({ length: freezes }, () => "frozen"),
    ].map((victim, at, all) => ({ victim, after: ((at + 1) / (all.length + 1)) * total }));
    const senders = Promise.all(Array.from({ length: SENDERS }, sender));
    const striker = (async () => {
      for (const { victim, after } of blows) {
        while (total - work.length < after) await pause(10);
        if (victim === "postgres") {
          await site.postgres.kill();
          await site.postgres.start();
          continue;
        }
        const one = site.anyProcess();
        if (victim === "frozen") {
          // Longer than the lifetime of its locks.
          await one.freeze(FREEZE_MS);
          continue;
        }
        await one.stop("SIGKILL");
        await one.start();
      }
    })();
    await Promise.all([senders, striker]);
    await settled(site, accepted, accounts);

    const events = accepted.map((id) => site.received.get(id));
    const all = [...site.received.values()];
    const bruteforces = all.filter(({ kind }) => kind === "auth_bruteforce").length;
    return {
      accepted: accepted.length,
      lost: events.filter((one) => !one).length,
      again: events.filter((one) => one?.count > 1).length,
      altered: all.filter(({ digests }) => digests.size > 1).length,
      accounts,
      missed: Math.max(0, accounts - bruteforces),
      repeated: Math.max(0, bruteforces - accounts),
      responses: all.filter(({ kind }) => kind === "response").length,
      kills,
      restarts,
      freezes,
      failures: site.failures,
      seconds: Math.round((performance.now() - startMs) / 1_000),
    };
  } finally {
    await site.close();
  }
}

/**
 * Creates batches of events with the failed logins of each account spread over them.
 *
 * @param {number} batches @param {number} accounts
 * @returns {{ application: number, path: string, body: object[], ids?: string[] }[]}
 */
function workOf(batches, accounts) {
  const startMs = Date.now() - 60_000;
  /** @type {ReturnType<typeof workOf>} */
  const work = Array.from({ length: batches }, (_, batch) => {
    const ids = Array.from({ length: PER_BATCH }, (_one, at) => `event-${batch}-${at}`);
    const body = ids.map((id) => ({ id, event_kind: "location", ips: ["203.0.113.9"] }));
    return { application: batch % 5, path: "events", body, ids };
  });
  for (let failure = 0; failure < FAILURES; failure++) {
    for (let n = 0; n < accounts; n++) {
      const account = `person-${n}@shop.example`;
      const login = {
        account,
        // One address for each account, so that none scans accounts.
        address: `8.${n >> 8}.${n & 255}.1`,
        success: false,
        // If the answer is lost, the same login is reported again.
        at: new Date(startMs + failure * 1_000).toISOString(),
      };
      const place = Math.floor(((failure + n / accounts) / FAILURES) * work.length);
      work.splice(place, 0, { application: n % 5, path: "logins", body: [login] });
    }
  }
  return work;
}

/**
 * Waits until everything has arrived, or until nothing arrives for a minute.
 *
 * @param {ServiceCluster} site @param {string[]} accepted @param {number} accounts
 */
async function settled(site, accepted, accounts) {
  let count = -1;
  for (let quiet = 0; quiet < 60; quiet++) {
    const responses = [...site.received.values()].filter(({ kind }) => kind === "response").length;
    if (responses >= accounts && accepted.every((id) => site.received.has(id))) return;
    if (site.received.size !== count) quiet = 0;
    count = site.received.size;
    await pause(1_000);
  }
}
