// Starts a risk service and a guarded app on this machine, walks through what they do together, and
// keeps both running for you to try.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { createRiskClient } from "@riskgate/core";
import { payloads, signDelivery } from "@riskgate/testing";
import { createApp, type Received } from "./app.js";
import { openBrowser } from "./open-browser.js";
import { startSandbox, TOR_EXIT } from "./sandbox.js";
import { createSteps, type Step } from "./step.js";

const USAGE = `Usage: pnpm start [--once] [--open]

  --once  end after the walk-through; exit code 1 if
          any result is not as expected
  --open  show the console in a browser

PORT sets the port; the default is 3000.`;

const values = readOptions();
if (typeof values === "string") {
  console.error(`${values}\n\n${USAGE}`);
  process.exit(2);
}
if (values.help) {
  console.log(USAGE);
  process.exit();
}

const received: Received = new Map();
const server = createServer();
const app = await listen(server, Number(process.env["PORT"] ?? 3000));
const sandbox = await startSandbox(`${app}/webhooks/security`);
// Without a service: `await createEngine()` of @riskgate/engine answers in this process.
const lookup = createRiskClient({
  baseUrl: sandbox.url,
  apiKey: sandbox.apiKey,
  timeoutMs: 10_000,
});
server.on("request", createApp(lookup, sandbox.secret, received));

const close = async (): Promise<void> => {
  server.close();
  server.closeAllConnections();
  await lookup.close();
  await sandbox.close();
};

console.log(`\nTo watch in the console:           ${sandbox.consoleUrl}`);
console.log(`Sign in with the token:            ${sandbox.adminToken}`);
if (values.open) openBrowser(sandbox.consoleUrl);
console.log(`\nriskgate guards ${app}/signup and receives webhooks at ${app}/webhooks/security`);
console.log(`The risk service answers at ${sandbox.url} (API key ${sandbox.apiKey})`);
const isExpected = await walk(createSteps(app, sandbox, received));
if (values.once) {
  process.exitCode = isExpected ? 0 : 1;
  await close();
} else {
  printCommands();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
}

/** Listens on loopback, on a free port if the given one is in use. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    console.log(`Port ${port} is in use; using a free one (set PORT to choose another).`);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the steps and prints a table; resolves to true if every result is as expected. */
async function walk(steps: readonly Step[]): Promise<boolean> {
  const width = Math.max(...steps.map(({ title }) => title.length));
  let isExpected = true;
  console.log();
  for (const step of steps) {
    const { title, expected } = step;
    const result = await step.run();
    const isRight = result === expected;
    isExpected &&= isRight;
    const verdict = isRight ? "ok    " : "WRONG ";
    console.log(
      `  ${verdict}${title.padEnd(width)}  ${result}${isRight ? "" : ` (expected ${expected})`}`,
    );
  }
  console.log(
    `\n${isExpected ? "Every result is as expected." : "Some results are not as expected."}`,
  );
  return isExpected;
}

function printCommands(): void {
  const { body, headers } = signDelivery([payloads.test()], sandbox.secret);
  const json = "-H 'content-type: application/json'";
  const commands = [
    `curl -i ${app}/signup ${json} -d '{"email":"x@mailinator.com"}'`,
    `curl -i ${app}/signup ${json} -H 'x-forwarded-for: ${TOR_EXIT}' -d '{"email":"a@b.example"}'`,
    `curl -i ${sandbox.url}/v1/ips/${TOR_EXIT} -H 'x-api-key: ${sandbox.apiKey}'`,
    `curl -i ${app}/webhooks/security ${json} -H 'x-service-integrity: ${headers["x-service-integrity"]}' -d '${body.toString()}'`,
  ];
  console.log(`\nTry it:\n\n  ${commands.join("\n  ")}\n\nPress Ctrl-C to stop.`);
}

/** Returns the options, or the problem with them. */
function readOptions() {
  try {
    return parseArgs({
      options: {
        once: { type: "boolean", default: false },
        open: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    // The rest of the message explains arguments that begin with a dash.
    return (error as Error).message.replace(/\. .*/s, "");
  }
}
