import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { inShort } from "../../../tools/test/web-contract.js";
import { fastifyHarness } from "./fastify-harness.js";

// `full/contract.test.ts` runs the whole contract.
describe(fastifyHarness.name, () => {
  for (const check of inShort(adapterContract)) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(fastifyHarness)).resolves.toBeUndefined();
    });
  }
});
