import { adapterContract } from "@riskgate/testing";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { koaHarness } from "../koa-harness.js";

const harness = koaHarness("Koa 3", Koa);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
