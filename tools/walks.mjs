// Counts the functions that one request, delivery or report runs in the built packages, and with
// `--list` prints them by folder. `--packages DIR` measures other packages than those beside it.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { Session } from "node:inspector/promises";
import { createRequire, SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/** Repetitions before a walk is measured: the last of them load and prepare nothing. */
const WARM_UP = 30;

/** Repetitions that are measured: what a timer happens to run takes part in some of them only. */
const MEASURED = 5;

const { values: given } = parseArgs({
  options: { list: { type: "boolean", default: false }, packages: { type: "string" } },
});
const folder = resolve(
  given.packages ?? join(dirname(dirname(fileURLToPath(import.meta.url))), "packages"),
);
/** @type {(path: string) => Promise<unknown>} */
const load = (path) => import(pathToFileURL(join(folder, path)).href);

const { createRiskClient } = /** @type {typeof import("../packages/core/src/index.js")} */ (
  await load("core/dist/index.js")
);
const { riskGate, webhookRoute } =
  /** @type {typeof import("../packages/express/src/index.js")} */ (
    await load("express/dist/index.js")
  );
const { payloads } = /** @type {typeof import("../packages/testing/src/index.js")} */ (
  await load("testing/dist/index.js")
);
const { createService } = /** @type {typeof import("../packages/service/src/index.js")} */ (
  await load("service/dist/index.js")
);
const express =
  /** @type {typeof import("../packages/express/node_modules/@types/express/index.js")} */ (
    createRequire(join(folder, "express/package.json"))("express")
  );

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** What is closed at the end, last first. @type {(() => unknown)[]} */
const closers = [];

/**
 * Functions of our files that a walk runs, as `folder/file name`.
 *
 * @param {readonly string[]} packages Packages that count.
 * @param {(number: number) => Promise<void>} walk
 */
async function measure(packages, walk) {
  for (let number = 0; number < WARM_UP; number++) await walk(number);
  /** How many of the measured walks ran a function, by place and name. @type {Map<string, number>} */
  const runs = new Map();
  await session.post("Profiler.takePreciseCoverage");
  for (let number = WARM_UP; number < WARM_UP + MEASURED; number++) {
    await walk(number);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    for (const { url, functions } of result) {
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges;
        if (whole === undefined || whole.count === 0) continue;
        const place = `${url}:${whole.startOffset}:${functionName || "(anonymous)"}`;
        runs.set(place, (runs.get(place) ?? 0) + 1);
      }
    }
  }
  return [...runs].flatMap(([place, count]) => {
    const [, url = "", offset, functionName] = /^(.*):(\d+):(.*)$/.exec(place) ?? [];
    if (count < MEASURED || !url.startsWith("file:")) return [];
    const path = fileURLToPath(url);
    const [name = "", part] = relative(folder, path).split(/[\\/]/);
    if (!packages.includes(name) || part !== "dist") return [];
    return [`${name}/${sourcesOf(path)(Number(offset))} ${functionName}`];
  });
}

/** @type {Map<string, (offset: number) => string>} */
const known = new Map();

/** Returns a function for the source file of an offset. @param {string} path */
function sourcesOf(path) {
  const found = known.get(path);
  if (found) return found;
  const starts = [0];
  const text = readFileSync(path, "utf8");
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  /** @type {unknown} */
  const mappings = JSON.parse(readFileSync(`${path}.map`, "utf8"));
  const map = new SourceMap(/** @type {import("node:module").SourceMapPayload} */ (mappings));
  const sourceOf = (/** @type {number} */ offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = map.findEntry(line, offset - (starts[line] ?? 0));
    return "originalSource" in entry ? entry.originalSource.replace(/^.*\bsrc\//, "") : "?";
  };
  known.set(path, sourceOf);
  return sourceOf;
}

/** Starts a server on a free port. @param {import("node:http").Server} server */
async function listen(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/**
 * Sends a request, and returns the body of a successful answer.
 *
 * @param {string} url
 * @param {{ body?: string, headers?: Record<string, string>, method?: string }} [options]
 */
function send(url, { body, headers = {}, method = body === undefined ? "GET" : "POST" } = {}) {
  return new Promise((/** @type {(text: string) => void} */ done, reject) => {
    const type = { "content-type": "application/json" };
    const sent = request(url, { method, headers: { ...type, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => (text += chunk));
      response.on("end", () => {
        const { statusCode = 0 } = response;
        if (statusCode < 300) done(text);
        else reject(new Error(`${method} ${url}: ${statusCode} ${text}`));
      });
    });
    sent.on("error", reject).end(body);
  });
}

const directory = await mkdtemp(join(tmpdir(), "riskgate-walks-"));
closers.push(() => rm(directory, { recursive: true, force: true }));
const adminToken = "an-admin-token-for-the-walks-only";
const service = await createService({
  dataDir: directory,
  adminToken,
  delivery: { maxWaitMs: 0 },
});
closers.push(() => service.close());
const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
/**
 * Calls the administration.
 *
 * @typedef {{ application: { id: string }, key: string }} Created
 * @param {string} path
 * @param {object} body
 */
async function admin(path, body) {
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await send(`${adminUrl}/admin/v1${path}`, { body: JSON.stringify(body), headers });
  return /** @type {Created} */ (JSON.parse(answer));
}

/** Continues once the next delivery has arrived. */
let delivered = () => {};
const sink = createServer((incoming, response) => {
  incoming.resume().on("end", () => {
    response.writeHead(204).end();
    delivered();
  });
});
const { application, key } = await admin("/applications", {
  name: "Shop",
  webhookUrl: await listen(sink),
  allowedDestinations: ["127.0.0.0/8"],
});
const { key: reportKey } = await admin(`/applications/${application.id}/keys`, { scope: "report" });

// Not the service, which runs functions of core in this process for each lookup.
const scores = createServer((incoming, response) => {
  const email = decodeURIComponent(incoming.url?.split("/").at(-1) ?? "");
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ risk_score: 3, email }));
});
const lookup = createRiskClient({
  baseUrl: await listen(scores),
  apiKey: "any",
  // Not even a busy machine takes the way of a timeout.
  timeoutMs: 60_000,
});
closers.push(() => lookup.close());
const secret = "the-signing-secret-of-the-walks";
const app = express();
app.post("/webhook", webhookRoute({ secrets: secret, on: { security_event() {} } }));
app.post(
  "/signup",
  express.json(),
  riskGate({ lookup }),
  (_, response) => void response.status(204).end(),
);
const appUrl = await listen(createServer(app));
const signUp = async (/** @type {string} */ email) => {
  await send(`${appUrl}/signup`, { body: JSON.stringify({ email }) });
};

// Made before the walk, because `payloads` runs functions of core.
const deliveries = Array.from({ length: WARM_UP + MEASURED }, (_, number) =>
  JSON.stringify([payloads.securityEvent({ event_id: `event-${number}` })]),
);

const library = ["core", "express"];
const all = ["core", "engine", "service"];
const walks = {
  "lookup by HTTP": () => measure(library, (number) => signUp(`ada.${number}@shop.example`)),
  "answer in memory": () => measure(library, () => signUp("ada@shop.example")),
  "webhook of one event": () =>
    measure(library, async (number) => {
      const body = deliveries[number] ?? "";
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      await send(`${appUrl}/webhook`, { body, headers: { "x-service-integrity": signature } });
    }),
  "lookup at the service": () =>
    measure(all, async (number) => {
      await send(`${url}/v1/ips/203.0.113.${number}`, { headers: { "x-api-key": key } });
    }),
  "report to signed POST": () =>
    measure(all, async (number) => {
      const arrived = new Promise((/** @type {(value?: undefined) => void} */ done) => {
        delivered = done;
      });
      const event = { event_kind: "sql_injection", ips: [`203.0.113.${number}`] };
      await send(`${url}/v1/reports/events`, {
        body: JSON.stringify([event]),
        headers: { "x-api-key": reportKey },
      });
      await arrived;
      // The service records the answer of the receiver, and is idle then.
      await new Promise((done) => setTimeout(done, 100));
    }),
};
/** @type {Record<string, number>} */
const counts = {};
for (const [name, walk] of Object.entries(walks)) {
  const functions = await walk();
  counts[name] = functions.length;
  if (given.list)
    console.log(`${name}: ${functions.length}\n  ${functions.toSorted().join("\n  ")}`);
}
if (!given.list) console.log(JSON.stringify(counts, null, 2));
for (const close of closers.toReversed()) await close();
