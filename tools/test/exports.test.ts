import { beforeAll, describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";
import { type NodeRun, runNode } from "./run-node.js";

/** Every value that a package exports, sorted: a change of this table is a change for users. */
const EXPORTS: Record<string, readonly string[]> = {
  cli: ["EXIT", "createTerminal", "runCli"],
  core: [
    "EVENT_CATEGORIES",
    "EVENT_KINDS",
    "INCIDENT_GENRES",
    "PAYLOAD_TYPES",
    "RiskGateError",
    "SIGNATURE_HEADER",
    "checkPeer",
    "coordinatesOf",
    "createBlockList",
    "createGate",
    "createIpTable",
    "createMemorySeenStore",
    "createReceiver",
    "createRequestGate",
    "createRiskClient",
    "createWebhookEndpoint",
    "domainOf",
    "emailProblem",
    "foldEmail",
    "formatTimestamp",
    "isPublicAt",
    "isPublicIp",
    "isRiskGateError",
    "isStale",
    "normalizeIp",
    "parseCidr",
    "parseDelivery",
    "parseIp",
    "parseTimestamp",
    "sign",
    "verify",
  ],
  engine: ["FEED_KINDS", "createEngine", "createFeedUpdater", "createMemoryLedger"],
  express: ["riskGate", "webhookRoute"],
  fastify: ["riskGate", "webhookRoute"],
  koa: ["riskGate", "webhookRoute"],
  service: ["createService"],
  testing: [
    "adapterContract",
    "createFakeLookup",
    "createFakeService",
    "createPayloads",
    "lookupContract",
    "payloads",
    "rawRequest",
    "seenStoreContract",
    "serveHttp",
    "signDelivery",
  ],
};

const MAX_EXIT_MS = 1_000;

const packages = projectsIn("packages").filter(({ published }) => published);

/** What a process knows after it loaded one package. */
interface Loaded {
  readonly names: string[];
  readonly handles: string[];
}

const REPORT =
  // The loader may still be closing the files that it read, and modules of Node's own (`assert` is
  // one) look whether standard error has colors, which opens it.
  'const own = ["CloseReq", "PipeWrap"];' +
  "const handles = process.getActiveResourcesInfo().filter((name) => !own.includes(name));" +
  // The marker of a CommonJS module is no export.
  'const names = Object.keys(loaded).filter((name) => name !== "__esModule").sort();' +
  "console.log(JSON.stringify({ names, handles }));";

const FLAVOURS = {
  ESM: (name: string) => [
    "--input-type=module",
    "--eval",
    `import * as loaded from "${name}"; ${REPORT}`,
  ],
  CommonJS: (name: string) => [
    "--input-type=commonjs",
    "--eval",
    `const loaded = require("${name}"); ${REPORT}`,
  ],
};

const cases = packages.flatMap(({ name, path, manifest }) =>
  (["ESM", "CommonJS"] as const).map((flavour) => ({ name, path, manifest, flavour })),
);

describe("exports", () => {
  const runs = new Map<string, NodeRun>();
  let emptyMs = 0;

  beforeAll(async () => {
    emptyMs = (await runNode(["--eval", ""], root)).elapsedMs;
    // One after the other: the time that each takes is judged.
    for (const { name, path, manifest, flavour } of cases) {
      runs.set(name + flavour, await runNode(FLAVOURS[flavour](manifest.name), path));
    }
  }, 60_000);

  it("are written down for every package", () => {
    expect(Object.keys(EXPORTS)).toEqual(packages.map(({ name }) => name));
  });

  it.each(cases)("of $name as $flavour are those of the table", ({ name, flavour }) => {
    const { stdout, stderr } = runs.get(name + flavour)!;
    expect(stderr).toBe("");
    expect((JSON.parse(stdout) as Loaded).names).toEqual(EXPORTS[name]);
  });

  it.each(cases)("LIF-01 loading $name as $flavour starts nothing", ({ name, flavour }) => {
    const { status, stdout, elapsedMs } = runs.get(name + flavour)!;
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as Loaded).handles).toEqual([]);
    expect(elapsedMs - emptyMs).toBeLessThan(MAX_EXIT_MS);
  });
});

describe("two flavours in one process", () => {
  it.each(packages)("LIF-08 have one copy of $name between them", async ({ path, manifest }) => {
    const program = `
      import { createRequire } from "node:module";
      import * as esm from "${manifest.name}";
      const cjs = createRequire(import.meta.url)("${manifest.name}");
      console.log(Object.keys(cjs).filter((name) => esm[name] !== cjs[name]).join());`;
    const run = await runNode(["--input-type=module", "--eval", program], path);
    expect(run).toMatchObject({ status: 0, stdout: "\n", stderr: "" });
  });
});

describe("two copies of a package in one process", () => {
  it("LIF-08 know the errors of each other", async () => {
    const program = `
      const first = require("@riskgate/core");
      for (const file of Object.keys(require.cache)) delete require.cache[file];
      const second = require("@riskgate/core");
      const error = new first.RiskGateError("CONFIG_INVALID", "for the test");
      const known = second.isRiskGateError(error);
      console.log(error instanceof second.RiskGateError, known, error.code);`;
    const core = packages.find(({ name }) => name === "core");
    const run = await runNode(["--eval", program], core?.path ?? root);
    expect(run).toMatchObject({ status: 0, stdout: "false true CONFIG_INVALID\n", stderr: "" });
  });
});
