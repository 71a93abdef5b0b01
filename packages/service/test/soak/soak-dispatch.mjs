// Kills a dispatcher again and again while events arrive, and counts what became of them.
// By hand: node packages/service/test/soak/soak-dispatch.mjs [kills]
import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DispatchChild } from "./dispatch-child.mjs";

const SECRET = "soak-secret";

/** Whatever has not arrived by then is lost. */
const MAX_WAIT_MS = 60_000;

const SETTINGS = {
  timeoutMs: 300,
  maxWaitMs: 20,
  closeGraceMs: 1_000,
  retry: { maxAttempts: 1_000, firstWaitMs: 30, lastWaitMs: 300 },
};

/**
 * @typedef {object} SoakFigures
 * @property {number} kills
 * @property {number} accepted Events whose storing was acknowledged.
 * @property {number} lost Accepted events that no receiver acknowledged.
 * @property {number} requests
 * @property {number} repeated Requests whose body had come before.
 * @property {number} altered Events that came in two different bodies.
 * @property {number} forged Requests whose signature was wrong.
 * @property {number} exitCode Of the last process, which was let to end by itself.
 * @property {number} seconds
 */

/**
 * @param {number} kills
 * @returns {Promise<SoakFigures>}
 */
export async function soakDispatch(kills) {
  const startMs = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-soak-"));
  const receiver = await startReceiver();
  const plan = { dataDir, webhookUrl: receiver.url, secret: SECRET, settings: SETTINGS };
  /** @type {string[]} */
  const accepted = [];
  let made = 0;

  for (let kill = 0; kill < kills; kill++) {
    const child = new DispatchChild(plan);
    await child.says("ready");
    const feeding = setInterval(() => {
      child.add(Array.from({ length: 1 + (made % 20) }, () => `e${made++}`));
    }, 5);
    await pause(20 + Math.random() * 400);
    // A slow machine may have stored nothing yet, and then nothing could be lost.
    if (kill === kills - 1) {
      while (accepted.length + child.accepted.length === 0) await pause(10);
    }
    await child.kill();
    clearInterval(feeding);
    accepted.push(...child.accepted);
  }

  const last = new DispatchChild(plan);
  const missing = () => accepted.filter((id) => !receiver.arrived.has(id)).length;
  for (let waitedMs = 0; missing() > 0 && waitedMs < MAX_WAIT_MS; waitedMs += 50) await pause(50);
  const { code, errors } = await last.stop();
  if (errors !== "") process.stderr.write(errors);
  await receiver.close();
  await rm(dataDir, { recursive: true });
  return {
    kills,
    accepted: accepted.length,
    lost: missing(),
    ...receiver.figures(),
    exitCode: code,
    seconds: Math.round((performance.now() - startMs) / 1000),
  };
}

/** A receiver that now and then fails, is slow, hangs or hangs up. */
async function startReceiver() {
  /** @type {Set<string>} */
  const arrived = new Set();
  /** Body by event. @type {Map<string, string>} */
  const bodies = new Map();
  /** @type {Set<string>} */
  const altered = new Set();
  /** @type {Set<string>} */
  const seen = new Set();
  const counts = { requests: 0, repeated: 0, forged: 0 };

  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const digest = createHash("sha256").update(body).digest("hex");
      const signature = createHmac("sha256", SECRET).update(body).digest("hex");
      counts.requests++;
      if (seen.has(digest)) counts.repeated++;
      seen.add(digest);
      if (request.headers["x-service-integrity"] !== signature) counts.forged++;
      const ids = /** @type {{ event_id: string }[]} */ (JSON.parse(body.toString())).map(
        ({ event_id }) => event_id,
      );
      for (const id of ids) {
        if ((bodies.get(id) ?? digest) !== digest) altered.add(id);
        bodies.set(id, digest);
      }
      const mood = Math.random();
      if (mood < 0.1) response.writeHead(500).end();
      else if (mood < 0.12) request.socket.destroy();
      else if (mood < 0.14) return;
      else {
        for (const id of ids) arrived.add(id);
        setTimeout(() => response.writeHead(204).end(), Math.random() * 20);
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`,
    arrived,
    figures: () => ({ ...counts, altered: altered.size }),
    /** @returns {Promise<void>} */
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await soakDispatch(Number(process.argv[2] ?? 50));
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  const { lost, altered, forged, exitCode } = figures;
  process.exitCode = lost + altered + forged + exitCode === 0 ? 0 : 1;
}
