import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { projectsIn, root } from "../workspace.mjs";
import { type NodeRun, runNode } from "./run-node.js";

/** What most applications need beside a gate, so that one package is enough. */
const COMMON = [
  "RiskGateError",
  "createAttackMode",
  "createBlockList",
  "createDevices",
  "createReporter",
  "createRiskClient",
  "createRules",
  "createVelocity",
  "isRiskGateError",
];

/** Every value of every entry. A change of this table is a change for users. */
const EXPORTS: Record<string, readonly string[]> = {
  "@riskgate/better-auth": ["revokeSessions", "riskGate"],
  "@riskgate/better-auth/client": ["riskGateClient"],
  "@riskgate/cli": ["EXIT", "createTerminal", "runCli"],
  "@riskgate/console": ["CONSOLE_DIRECTORY"],
  "@riskgate/core": [
    "EVENT_CATEGORIES",
    "EVENT_KINDS",
    "FLAG_ABOVE",
    "INCIDENT_GENRES",
    "OUTCOMES",
    "PAYLOAD_TYPES",
    "REJECT_ABOVE",
    "RiskGateError",
    "SIGNATURE_HEADER",
    "createAttackMode",
    "createBlockList",
    "createDevices",
    "createGate",
    "createMemorySeenStore",
    "createReceiver",
    "createReporter",
    "createRiskClient",
    "createRules",
    "createVelocity",
    "isRiskGateError",
    "isStale",
    "parseDelivery",
    "sign",
    "verify",
  ],
  "@riskgate/core/velocity": ["createMemoryVelocityStore", "createVelocity"],
  "@riskgate/core/altcha": ["createAltchaChallenge"],
  "@riskgate/core/blocks": ["createBlockList", "createMemoryBlockStore", "createServiceBlockStore"],
  "@riskgate/core/attack": ["createAttackMode", "createMemoryAttackStore"],
  "@riskgate/core/device": ["createDevices", "createMemoryDeviceStore"],
  "@riskgate/core/rules": ["createRules", "openRules"],
  "@riskgate/core/log": ["createDecisionLog", "createIdentityDigest", "createServiceDecisionLog"],
  "@riskgate/core/payloads": [
    "EVENT_CATEGORIES",
    "EVENT_KINDS",
    "INCIDENT_GENRES",
    "PAYLOAD_TYPES",
    "coordinatesOf",
    "formatTimestamp",
    "nextStep",
    "parseDelivery",
    "parseTimestamp",
    "splitDelivery",
  ],
  "@riskgate/core/address": [
    "COUNTRY_CODES",
    "DESTINATION_BLOCKED",
    "createIpTable",
    "createSystemResolve",
    "destinationOf",
    "emailProblem",
    "foldEmail",
    "guardedLookup",
    "hostsIn",
    "isPublicAt",
    "isPublicDestination",
    "isPublicIp",
    "mailboxOf",
    "mailboxesIn",
    "normalizeDomain",
    "normalizeIp",
    "parseCidr",
    "parseIp",
  ],
  "@riskgate/core/adapter": [
    "createLoginWatch",
    "createRequestGate",
    "createWebhookEndpoint",
    "presentDecision",
    "readAnyBody",
    "readOptions",
  ],
  "@riskgate/core/internal": [
    "BoundedGroups",
    "DEFAULT_THRESHOLDS",
    "DEVICE_STANDINGS",
    "ExpressExchange",
    "FastifyExchange",
    "GuardedServer",
    "LabelledDecisions",
    "NO_FOLLOW",
    "OutcomeCounts",
    "RULE_FLAGS",
    "TOO_DEEP",
    "callSyncHook",
    "checkCount",
    "checkEvent",
    "checkLabel",
    "checkLogin",
    "checkRuleText",
    "checkRules",
    "compileRules",
    "createDropNotice",
    "createErrorReport",
    "createQueuedLog",
    "createRejudge",
    "createSemaphore",
    "describeProblem",
    "hookError",
    "isDecisionRecord",
    "isForwardingDomain",
    "isLargeProvider",
    "isThenable",
    "jsonProblem",
    "limitTime",
    "makeDirectory",
    "makePrivate",
    "makePrivateDirectory",
    "nearest",
    "openToAppend",
    "outcomeOf",
    "parseDecisionRecord",
    "parseRetryAfter",
    "parseShallowJson",
    "readDigest",
    "readQueuedLog",
    "refuseDeep",
    "rehearsedThresholds",
    "replaceFile",
    "sendExpressReply",
    "sendFastifyReply",
    "signStandard",
    "signalsOf",
    "startDeadline",
    "testPayload",
    "warn",
    "withoutBlanks",
  ],
  "@riskgate/core/web": [
    "ArrivingBody",
    "RiskGateError",
    "SIGNATURE_HEADER",
    "callSyncHook",
    "createAttackMode",
    "createBlockList",
    "createDeliveryEndpoint",
    "createDevices",
    "createMemorySeenStore",
    "createReporter",
    "createRiskClient",
    "createRules",
    "createVelocity",
    "isRefusalCode",
    "isRiskGateError",
    "lengthOf",
    "limitTime",
    "outcomeWatchWith",
    "presentDecision",
    "problemReply",
    "readAnyBody",
    "readBodyLimits",
    "readLoginWatch",
    "readOptions",
    "readRequestGate",
    "requestGateWith",
    "sign",
    "startDeadline",
    "verify",
  ],
  "@riskgate/engine": [
    "FEED_KINDS",
    "createEngine",
    "createFeedUpdater",
    "createLedgerReporter",
    "createMemoryLedger",
    "measureFeeds",
    "openFileLedger",
  ],
  "@riskgate/express": [...COMMON, "loginWatch", "requireDecision", "riskGate", "webhookRoute"],
  "@riskgate/fastify": [...COMMON, "loginWatch", "requireDecision", "riskGate", "webhookRoute"],
  "@riskgate/hono": [...COMMON, "loginWatch", "requireDecision", "riskGate", "webhookRoute"],
  "@riskgate/koa": [...COMMON, "loginWatch", "requireDecision", "riskGate", "webhookRoute"],
  "@riskgate/lambda": [...COMMON, "loginWatch", "riskGate", "webhookRoute"],
  "@riskgate/nest": [
    ...COMMON,
    "LoginWatch",
    "Risk",
    "RiskGate",
    "RiskGateModule",
    "RiskGateWebhookModule",
    "requireDecision",
  ],
  "@riskgate/next": [...COMMON, "loginWatch", "riskGate", "riskProxy", "webhookRoute"],
  "@riskgate/opentelemetry": ["instrumentRiskgate"],
  "@riskgate/postgres": [
    "createPostgresAttackStore",
    "createPostgresBlockStore",
    "createPostgresDeviceStore",
    "createPostgresSingleUseStore",
    "createPostgresVelocityStore",
  ],
  "@riskgate/redis": [
    "createRedisAttackStore",
    "createRedisBlockStore",
    "createRedisCache",
    "createRedisDeviceStore",
    "createRedisInbox",
    "createRedisSeenStore",
    "createRedisSingleUseStore",
    "createRedisVelocityStore",
  ],
  "@riskgate/service": [
    "SERVICE_RULE_VOCABULARY",
    "copyDatabase",
    "createService",
    "databaseStatus",
    "migrateDatabase",
  ],
  "@riskgate/sqlite": [
    "createSqliteDecisionLog",
    "createSqliteInbox",
    "createSqliteSingleUseStore",
  ],
  "@riskgate/testing": [
    "adapterContract",
    "cacheStoreContract",
    "createFakeLookup",
    "createFakeService",
    "createPayloads",
    "createSignUpTrace",
    "enveloped",
    "inboxContract",
    "lookupApiContract",
    "lookupContract",
    "outboxContract",
    "payloads",
    "rawRequest",
    "receiverContract",
    "runConformance",
    "seenStoreContract",
    "serveHttp",
    "signDelivery",
    "velocityStoreContract",
  ],
  "@riskgate/web": [
    ...COMMON,
    "SIGNATURE_HEADER",
    "createMemorySeenStore",
    "loginWatch",
    "readAnyBody",
    "riskGate",
    "sign",
    "verify",
    "webhookRoute",
    "withAddedHeaders",
  ],
  "@riskgate/web/adapter": [
    "copyBody",
    "createWebGate",
    "limitTime",
    "presentDecision",
    "readAnyBody",
    "readBodyLimits",
    "readOptions",
    "readWebGate",
    "readWebWatch",
    "webGateWith",
    "withAddedHeaders",
  ],
};

const packages = projectsIn("packages").filter(({ published }) => published);

/** All entries, each with the folder of its package. */
const entries = packages.flatMap(({ path, manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => ({ path, specifier: posix.join(manifest.name, subpath) })),
);

/** State of a process after it has loaded one package. */
interface Loaded {
  readonly names: string[];
  readonly handles: string[];
}

const REPORT =
  // The loader may still be closing files, and some modules of Node, such as `assert`, open standard
  // error to check it for colors.
  'const own = ["CloseReq", "PipeWrap"];' +
  "const handles = process.getActiveResourcesInfo().filter((name) => !own.includes(name));" +
  // The marker of a CommonJS module is not an export.
  'const names = Object.keys(loaded).filter((name) => name !== "__esModule").sort();' +
  "console.log(JSON.stringify({ names, handles }));";

/** With this flag Node loads CommonJS like Jest; without it `require` loads the ES module. */
const APART = "--no-experimental-require-module";

const FLAVOURS = {
  ESM: (specifier: string) => [
    "--input-type=module",
    "--eval",
    `import * as loaded from "${specifier}"; ${REPORT}`,
  ],
  CommonJS: (specifier: string) => [
    APART,
    "--input-type=commonjs",
    "--eval",
    `const loaded = require("${specifier}"); ${REPORT}`,
  ],
};

const cases = entries.flatMap((entry) =>
  (["ESM", "CommonJS"] as const).map((flavour) => ({ ...entry, flavour })),
);

describe("exports", () => {
  const runs = new Map<string, NodeRun>();

  beforeAll(async () => {
    await Promise.all(
      cases.map(async ({ specifier, path, flavour }) => {
        runs.set(specifier + flavour, await runNode(FLAVOURS[flavour](specifier), path, 200_000));
      }),
    );
  });

  it("lists every entry in the table", () => {
    expect(Object.keys(EXPORTS)).toEqual(entries.map(({ specifier }) => specifier));
  });

  it.each(cases)(
    "exports the names of the table from $specifier as $flavour",
    ({ specifier, flavour }) => {
      const { stdout, stderr } = runs.get(specifier + flavour)!;
      expect(stderr).toBe("");
      expect((JSON.parse(stdout) as Loaded).names).toEqual(EXPORTS[specifier]?.toSorted());
    },
  );

  it.each(cases)(
    "LIF-01 loading $specifier as $flavour starts nothing",
    ({ specifier, flavour }) => {
      const { status, stdout } = runs.get(specifier + flavour)!;
      // A process that does not end is killed and has no exit code.
      expect(status).toBe(0);
      expect((JSON.parse(stdout) as Loaded).handles).toEqual([]);
    },
  );
});

describe.concurrent("import and require in one process", () => {
  it.each(entries)("LIF-08 loads one copy of $specifier", async ({ specifier, path }) => {
    const program = `
      import { createRequire } from "node:module";
      import * as esm from "${specifier}";
      const cjs = createRequire(import.meta.url)("${specifier}");
      console.log(Object.keys(cjs).filter((name) => esm[name] !== cjs[name]).join());`;
    const run = await runNode(["--input-type=module", "--eval", program], path);
    expect(run).toMatchObject({ status: 0, stdout: "\n", stderr: "" });
  });
});

// A bundle of both flavours has two copies, and so has a loader without `module-sync`.
describe.concurrent("two copies of core in one process", () => {
  const core = packages.find(({ name }) => name === "core")?.path ?? root;
  const run = (program: string) =>
    runNode(
      [
        APART,
        "--input-type=module",
        "--eval",
        `import { createRequire } from "node:module";
         import { channel } from "node:diagnostics_channel";
         import * as esm from "@riskgate/core";
         const cjs = createRequire(import.meta.url)("@riskgate/core");
         const lookup = {
           lookupIp: async () => ({ risk_score: 90 }),
           lookupEmail: async () => ({ risk_score: 90 }),
         };
         ${program}`,
      ],
      core,
    );

  it("LIF-08 recognizes errors of the other copy", async () => {
    const program = `
      const error = new esm.RiskGateError("TIMEOUT", "for the test");
      const failing = { lookupIp: () => Promise.reject(error), lookupEmail: lookup.lookupEmail };
      const { ip } = await cjs.createGate({ lookup: failing, onError() {} }).decide({ ip: "1.2.3.4" });
      console.log(error instanceof cjs.RiskGateError, cjs.isRiskGateError(error), ip.fault);`;
    const expected = { status: 0, stdout: "false true timeout\n", stderr: "" };
    expect(await run(program)).toMatchObject(expected);
  });

  it("LIF-08 publishes on the same channels", async () => {
    const program = `
      const heard = [];
      channel("riskgate:decision").subscribe(({ outcome }) => heard.push(outcome));
      for (const { createGate } of [esm, cjs]) await createGate({ lookup }).decide({ ip: "1.2.3.4" });
      console.log(heard.join());`;
    expect(await run(program)).toMatchObject({ status: 0, stdout: "reject,reject\n", stderr: "" });
  });

  it("LIF-08 accepts parts of the other copy", async () => {
    const program = `
      const blockList = esm.createBlockList();
      blockList.block("1.2.3.4");
      const gate = cjs.createGate({ lookup, blockList });
      const decision = await gate.decide({ ip: "1.2.3.4" });
      const signature = esm.sign(Buffer.from("[]"), "secret");
      console.log(decision.outcome, cjs.verify(Buffer.from("[]"), signature, "secret"));`;
    expect(await run(program)).toMatchObject({ status: 0, stdout: "reject true\n", stderr: "" });
  });
});
