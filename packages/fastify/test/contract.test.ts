import { adapterContract } from "@riskgate/testing";
import { describe, it } from "vitest";
import { fastifyHarness } from "./fastify-harness.js";

describe(fastifyHarness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, async () => check.run(fastifyHarness), check.timeoutMs);
  }
});
