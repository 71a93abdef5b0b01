import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

// Receives the deliveries of all applications, checks their signatures, and marks the events in them.
const { received, counts } = workerData;

/** By application. @type {readonly string[]} */
let secrets = [];
/** Last event by application and sender, because each sender waits for an answer. */
const last = new Map();
parentPort?.on("message", (/** @type {readonly string[]} */ given) => (secrets = given));

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const application = Number(request.url?.slice(1));
    receive(application, Buffer.concat(chunks), request.headers["x-service-integrity"]);
    response.writeHead(204).end();
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
parentPort?.postMessage({ port }, []);

/** @param {number} application @param {Buffer} body @param {string | string[] | undefined} signature */
function receive(application, body, signature) {
  const expected = createHmac("sha256", secrets[application] ?? "")
    .update(body)
    .digest("hex");
  if (signature !== expected) Atomics.add(counts, 2, 1);
  let events = 0;
  for (const [, id, sender] of body.toString().matchAll(/"event_id":"n(\d+)-(\d+)"/g)) {
    const number = Number(id);
    const key = `${application}-${sender}`;
    if (number <= (last.get(key) ?? -1)) Atomics.add(counts, 3, 1);
    last.set(key, number);
    if (received[number]++ === 0) events++;
  }
  Atomics.add(counts, 1, events);
}
