import { createRequire } from "node:module";
import { adapterContract } from "@riskgate/testing";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { koaHarness } from "./koa-harness.js";

const koa2 = createRequire(import.meta.url)("koa2") as typeof Koa;
const harness = koaHarness("Koa 3", Koa);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});

// `full/contract-koa2.test.ts` runs the whole contract on it.
describe("Koa 2", () => {
  const older = koaHarness("Koa 2", koa2);
  for (const check of adapterContract.filter(({ id }) => id === "ADP-01")) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(older)).resolves.toBeUndefined();
    });
  }
});
