// Stops `riskgate serve` under load again and again, with connections that send nothing, half a head,
// half a body, or do not read their answers, and with a receiver that may never answer.
// By hand: node packages/cli/test/soak/soak-shutdown.mjs [stops] [connections of each sort]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const ADMIN_TOKEN = "admin-token-of-the-soak";

/** What a connection sends before it waits. None reads. */
const SENT = [
  "",
  "GET /healthz HTTP/1.1\r\nHost: a\r\n",
  "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{",
  "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200),
];

/** Requests that are under way at any time. */
const CLIENTS = 8;

/**
 * @typedef {object} Stop
 * @property {number | null} code
 * @property {number} answers Before and while it stopped.
 * @property {number} wrong Answers to lookups other than 200 and 429.
 * @property {number} ms From the signal to the end of the process.
 */

/**
 * @param {{ stops: number, connections: number, hangs: boolean }} plan `connections` of each sort;
 *   `hangs`: the receiver of the deliveries never answers.
 * @param {(stop: Stop) => void} [onStop]
 * @returns {Promise<Stop[]>}
 */
export async function soakShutdown({ stops, connections, hangs }, onStop) {
  const receiver = createServer((_request, response) => void (hangs || response.end()));
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (receiver.address());
  const results = [];
  try {
    for (let stop = 0; stop < stops; stop++) {
      const result = await stopOnce(`http://127.0.0.1:${port}/`, connections);
      onStop?.(result);
      results.push(result);
    }
    return results;
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

/** @param {string} webhookUrl @param {number} connections @returns {Promise<Stop>} */
async function stopOnce(webhookUrl, connections) {
  const options = ["--port", "0", "--json", "--webhook-url", webhookUrl, "--allow", "127.0.0.0/8"];
  const child = spawn(process.execPath, [MAIN, "serve", "--sandbox", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], RISKGATE_ADMIN_TOKEN: ADMIN_TOKEN },
  });
  const exited = once(child, "exit");
  try {
    const [line] = await once(createInterface(child.stdout), "line");
    const { url, adminUrl, apiKey, applicationId } = JSON.parse(line);
    const port = Number(new URL(url).port);
    const sockets = SENT.flatMap((bytes) =>
      Array.from({ length: connections }, () => {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        if (bytes !== "") socket.write(bytes);
        return socket.pause();
      }),
    );
    const count = { answers: 0, wrong: 0 };
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const test = `${adminUrl}/admin/v1/applications/${applicationId}/test`;
      if (index === 0) return useUntilGone(test, authorized("POST"), [202], count);
      const headers = { "x-api-key": apiKey };
      return useUntilGone(`${url}/v1/ips/8.8.8.8`, { headers }, [200, 429], count);
    });
    while (count.answers < 2 * CLIENTS) await sleep(10);
    await sleep(Math.random() * 800);
    const startedMs = performance.now();
    child.kill("SIGTERM");
    const [code] = await exited;
    const ms = performance.now() - startedMs;
    for (const socket of sockets) socket.destroy();
    await Promise.all(clients);
    return { code, ...count, ms };
  } finally {
    child.kill("SIGKILL");
  }
}

/** @param {string} method */
function authorized(method) {
  return { method, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } };
}

/**
 * @param {string} url
 * @param {RequestInit} request
 * @param {number[]} expected Statuses.
 * @param {{ answers: number, wrong: number }} count
 */
async function useUntilGone(url, request, expected, count) {
  for (;;) {
    let response;
    try {
      response = await fetch(url, request);
      await response.arrayBuffer();
    } catch {
      return;
    }
    count.answers++;
    if (!expected.includes(response.status)) count.wrong++;
    await sleep(5);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [stops = 30, connections = 50] = process.argv.slice(2).map(Number);
  const results = await soakShutdown(
    { stops, connections, hangs: true },
    ({ code, ms, ...count }) =>
      console.log(`exit ${code} after ${(ms / 1000).toFixed(2)} s`, count),
  );
  const times = results.map(({ ms }) => ms).sort((one, other) => one - other);
  console.log(`longest ${((times.at(-1) ?? 0) / 1000).toFixed(2)} s of ${times.length}`);
}
