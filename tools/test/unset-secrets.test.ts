import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createIdentityDigest,
  createDecisionLog,
  createServiceDecisionLog,
} from "../../packages/core/src/log.js";
import {
  createDevices,
  createReporter,
  createRiskClient,
  verify,
} from "../../packages/core/src/index.js";
import { riskGate, webhookRoute } from "../../packages/express/src/index.js";
import { createPostgresVelocityStore } from "../../packages/postgres/src/index.js";
import { createRedisVelocityStore } from "../../packages/redis/src/index.js";
import { createService } from "../../packages/service/src/index.js";
import { createSqliteDecisionLog } from "../../packages/sqlite/src/index.js";
import { root } from "../workspace.mjs";

const { Pool } = createRequire(join(root, "packages/postgres/package.json"))("pg") as {
  Pool: new () => never;
};
/** Never connects: the stores read their options first. */
const redis = { call: async () => [], duplicate() {}, disconnect() {} };

const lookup = { lookupIp: () => ({}), lookupEmail: () => ({}) };
const path = "never-created.jsonl";
const baseUrl = "http://127.0.0.1:9";
const gate = { lookup, challengeAbove: 50, verifyChallenge: () => true };

type Make = (options: never) => unknown;

const REQUIRED: readonly [name: string, option: string, make: Make][] = [
  [
    "createDecisionLog",
    "secret",
    (given: object) => createDecisionLog({ path, ...given } as never),
  ],
  [
    "createSqliteDecisionLog",
    "secret",
    (given: object) => createSqliteDecisionLog({ path, ...given } as never),
  ],
  [
    "createServiceDecisionLog",
    "secret",
    (given: object) => createServiceDecisionLog({ baseUrl, reportKey: "key", ...given } as never),
  ],
  [
    "createServiceDecisionLog",
    "reportKey",
    (given: object) =>
      createServiceDecisionLog({ baseUrl, secret: "x".repeat(32), ...given } as never),
  ],
  ["createIdentityDigest", "secret", (given: object) => createIdentityDigest(given as never)],
  [
    "createRiskClient",
    "apiKey",
    (given: object) => createRiskClient({ baseUrl, ...given } as never),
  ],
  [
    "createReporter",
    "reportKey",
    (given: object) => createReporter({ baseUrl, ...given } as never),
  ],
  [
    "riskGate",
    "challenge.secrets",
    (given: object) =>
      riskGate({
        ...gate,
        challenge: { secrets: (given as Record<string, unknown>)["challenge.secrets"] },
      } as never),
  ],
  ["createDevices", "secrets", (given: object) => createDevices(given as never)],
  [
    "webhookRoute",
    "secrets",
    (given: object) => webhookRoute({ on: { test() {} }, ...given } as never),
  ],
];

const OPTIONAL: readonly [name: string, option: string, make: Make][] = [
  ["createRedisVelocityStore", "secret", (given: object) => createRedisVelocityStore(redis, given)],
  [
    "createPostgresVelocityStore",
    "secret",
    (given: object) => createPostgresVelocityStore(new Pool(), given),
  ],
];

const SERVICE = ["adminToken", "adminProofKey", "metricsToken"] as const;

const messageOf = async (make: () => unknown): Promise<readonly unknown[]> =>
  Promise.resolve()
    .then(make)
    .then(
      () => [],
      (error: { readonly code?: unknown; readonly message: string; readonly hint?: unknown }) => [
        error.code,
        `${error.message} ${String(error.hint)}`,
      ],
    );

// An environment variable that is not set is undefined.
describe("a secret from an environment variable that is not set", () => {
  it.each(REQUIRED)("is refused by %s: %s", async (_, option, make) => {
    for (const value of [undefined, ""]) {
      const [code, message] = await messageOf(() => make({ [option]: value } as never));
      expect([code, message]).toEqual(["CONFIG_INVALID", expect.stringContaining(`\`${option}\``)]);
    }
  });

  it.each(OPTIONAL)("is refused by %s, which works without: %s", async (_, option, make) => {
    for (const value of [undefined, ""]) {
      const [code, message] = await messageOf(() => make({ [option]: value } as never));
      expect([code, message]).toEqual(["CONFIG_INVALID", expect.stringContaining(`\`${option}\``)]);
    }
    expect(await messageOf(() => make({} as never))).toEqual([]);
  });

  it.each(SERVICE)("is refused by createService: %s", async (option) => {
    for (const value of [undefined, ""]) {
      const options = { dataDir: "never-created", [option]: value } as never;
      const [code, message] = await messageOf(() => createService(options));
      expect([code, message]).toEqual(["CONFIG_INVALID", expect.stringContaining(`\`${option}\``)]);
    }
  });

  it("is refused in a list of secrets", async () => {
    const secrets = ["secret-1", undefined] as never;
    expect((await messageOf(() => webhookRoute({ on: { test() {} }, secrets })))[0]).toBe(
      "CONFIG_INVALID",
    );
    expect((await messageOf(() => verify("", "", undefined as never)))[0]).toBe("CONFIG_INVALID");
  });

  it("is refused with advice", async () => {
    const [, message] = await messageOf(() =>
      createRedisVelocityStore(redis, { secret: undefined } as never),
    );
    expect(message).toBe(
      "`secret` is undefined If it comes from the environment, check that it is set; to work without it, omit the option",
    );
  });
});
