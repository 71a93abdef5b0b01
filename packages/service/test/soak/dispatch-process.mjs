// A process with a storage and a dispatcher that a test kills. It takes lines of JSON
// from standard input and writes lines of JSON to standard output.
import { createInterface } from "node:readline";

const [bundled = "", plan = ""] = process.argv.slice(2);
/** @type {typeof import("../../src/storage/open-storage.js") & typeof import("../../src/dispatch/dispatcher.js")} */
const { openStorage, createDispatcher } = await import(bundled);

/** @typedef {{ dataDir: string, webhookUrl: string, secret: string, neverRecord?: boolean }} Plan */
/** @type {Plan & { settings: Partial<import("../../src/dispatch/delivery-settings.js").DeliverySettings> }} */
const { dataDir, webhookUrl, secret, neverRecord, settings } = JSON.parse(plan);

const storage = await openStorage(dataDir);
const [application = await addApplication()] = await storage.applications.list();
const dispatcher = createDispatcher({
  storage: neverRecord ? withoutRecords() : storage,
  settings,
});
say({ ready: true });

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => void obey(JSON.parse(line)));
process.once("SIGTERM", () => void stop());

/** @param {{ add: string[] }} command */
async function obey({ add }) {
  await storage.outbox.add(
    application.id,
    add.map((event_id) => ({
      type: "security_event",
      payload: { service_payload_type: "security_event", event_id, event_kind: "xss" },
    })),
  );
  say({ added: add });
  dispatcher.wake();
}

async function stop() {
  lines.close();
  await dispatcher.close();
  await storage.close();
}

async function addApplication() {
  const created = await storage.applications.create({
    name: "Shop",
    webhookUrl,
    // Small bodies make many deliveries, and many moments to be killed in.
    maxBodyBytes: 2_000,
    allowedDestinations: ["127.0.0.0/8"],
  });
  await storage.applications.rotateSecret(created.id, { value: secret });
  return created;
}

/** The same storage, stopped in the moment between an answer and its record. */
function withoutRecords() {
  const recordAttempts = () => {
    say({ recording: true });
    return new Promise(() => {});
  };
  return {
    ...storage,
    deliveries: /** @type {typeof storage.deliveries} */ ({
      ...storage.deliveries,
      recordAttempts,
    }),
  };
}

/** @param {unknown} message */
function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
