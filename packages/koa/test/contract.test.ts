import { adapterContract } from "@riskgate/testing";
import Koa from "koa";
import { describe, it } from "vitest";
import { koaHarness } from "./koa-harness.js";

const harness = koaHarness("Koa 3", Koa);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, async () => check.run(harness), check.timeoutMs);
  }
});
