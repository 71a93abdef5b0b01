// Starts a guarded app on this machine, walks through what it does, and stays up to be tried.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { createEngine } from "@riskgate/engine";
import { payloads, signDelivery } from "@riskgate/testing";
import { createApp, type Received } from "./app.js";
import { createSteps, HOSTING_NETWORK, type Step, TOR_EXIT } from "./step.js";

const { values } = parseArgs({
  options: { once: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
});
if (values.help) {
  console.log("Usage: pnpm start [--once]\n\n  --once  end after the walk-through; exit code 1 if");
  console.log("          a line came out differently\n\nPORT chooses the port, by default 3000.");
  process.exit();
}

const secret = randomBytes(16).toString("hex");
const received: Received = new Map();
const engine = await createEngine({
  feeds: [
    { kind: "datacenter", name: "tour hosting", entries: [HOSTING_NETWORK] },
    { kind: "tor", name: "tour exits", entries: [TOR_EXIT] },
  ],
});
const server = createServer(createApp(engine, secret, received));
const base = await listen(server, Number(process.env["PORT"] ?? 3000));

console.log(`\nriskgate guards ${base}/signup and receives webhooks at ${base}/webhooks/security`);
const asStated = await walk(createSteps(secret, received), base);
if (values.once) {
  process.exitCode = asStated ? 0 : 1;
  server.close();
  await engine.close();
} else {
  printCommands();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
      void engine.close();
    });
  }
}

/** Listen on loopback; where the port is taken, on a free one. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    console.log(`Port ${port} is in use; taking a free one (PORT chooses another).`);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Run the steps and print them as a table; true when each came out as stated. */
async function walk(steps: readonly Step[], base: string): Promise<boolean> {
  const width = Math.max(...steps.map(({ title }) => title.length));
  let asStated = true;
  console.log();
  for (const step of steps) {
    const { title, expected } = step;
    const result = await step.run(base);
    const isRight = result === expected;
    asStated &&= isRight;
    const verdict = isRight ? "ok    " : "WRONG ";
    console.log(
      `  ${verdict}${title.padEnd(width)}  ${result}${isRight ? "" : ` (not ${expected})`}`,
    );
  }
  console.log(
    `\n${asStated ? "Every line came out as stated." : "Some lines came out differently."}`,
  );
  return asStated;
}

function printCommands(): void {
  const { body, headers } = signDelivery([payloads.test()], secret);
  const json = "-H 'content-type: application/json'";
  console.log("\nTry it:\n");
  console.log(`  curl -i ${base}/signup ${json} -d '{"email":"x@mailinator.com"}'`);
  console.log(
    `  curl -i ${base}/signup ${json} -H 'x-forwarded-for: ${TOR_EXIT}' -d '{"email":"ada@example.com"}'`,
  );
  console.log(
    `  curl -i ${base}/webhooks/security ${json} -H 'x-service-integrity: ${headers["x-service-integrity"]}' -d '${body.toString()}'`,
  );
  console.log("\nCtrl-C ends it.");
}
