import { adapterContract } from "@riskgate/testing";
import Koa from "koa2";
import { describe, it } from "vitest";
import { koaHarness } from "./koa-harness.js";

const harness = koaHarness("Koa 2", Koa, 1000);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, async () => check.run(harness), check.timeoutMs);
  }
});
