import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// Reports events, each sender one report after the other, and marks those that were accepted.
const { urls, keys, batch, senders, seconds, rate, kind, accounts, accepted, counts } = workerData;
const most = workerData.events || Infinity;

const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

const agent = new Agent({ keepAlive: true });
/** Answers other than 2xx, by status. @type {Record<string, number>} */
const failures = {};
let next = 0;

const startMs = performance.now();
await Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
parentPort?.postMessage({ ms: performance.now() - startMs, failures }, []);

/** @param {number} sender */
async function send(sender) {
  const endMs = startMs + seconds * 1e3;
  for (let turn = sender; performance.now() < endMs && next < most; turn++) {
    const dueMs = rate > 0 ? startMs + (next / rate) * 1e3 : 0;
    const first = next;
    next += batch;
    if (dueMs > performance.now()) await pause(dueMs - performance.now());
    const body = JSON.stringify(
      Array.from({ length: batch }, (_, at) => event(first + at, sender)),
    );
    const status = await post(
      `${urls[turn % urls.length]}/v1/reports/events`,
      keys[sender % keys.length],
      body,
    );
    if (status >= 200 && status <= 299) {
      accepted.fill(1, first, first + batch);
      Atomics.add(counts, 0, batch);
    } else {
      failures[`answered ${status}`] = (failures[`answered ${status}`] ?? 0) + 1;
      await pause(50);
    }
  }
}

/** @param {number} number @param {number} sender */
function event(number, sender) {
  const account = (number * 7_919) % accounts;
  return {
    id: `n${number}-${sender}`,
    event_kind: kind,
    ips: [`198.51.${(account >> 8) % 256}.${account % 256}`],
    application_account_account_keys: [{ name: "email", value: `visitor.${account}@shop.example` }],
    user_agent: USER_AGENT,
  };
}

/** @param {string} url @param {string} key @param {string} body @returns {Promise<number>} */
function post(url, key, body) {
  return new Promise((resolve) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-api-key": key,
    };
    request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", () => resolve(0))
      .end(body);
  });
}
