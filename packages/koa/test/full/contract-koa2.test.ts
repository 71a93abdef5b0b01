import { createRequire } from "node:module";
import { adapterContract } from "@riskgate/testing";
import type Koa from "koa";
import { describe, expect, it } from "vitest";
import { koaHarness } from "../koa-harness.js";

const koa2 = createRequire(import.meta.url)("koa2") as typeof Koa;
const harness = koaHarness("Koa 2", koa2);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
