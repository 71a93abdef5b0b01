import { adapterContract } from "@riskgate/testing";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { koaHarness } from "../koa-harness.js";

/** The harness without its own numbers of requests: 10,000 in each check. */
const { floodRequests: _, lifeRequests: __, ...harness } = koaHarness("Koa 3", Koa);

describe(harness.name, () => {
  for (const check of adapterContract.filter(({ id }) => id === "WHR-29" || id === "LIF-06")) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
