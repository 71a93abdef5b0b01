import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { fastifyHarness } from "../fastify-harness.js";

describe(fastifyHarness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(fastifyHarness)).resolves.toBeUndefined();
    });
  }
});
