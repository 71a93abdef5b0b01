import { describe, expect, it } from "vitest";
import { adapterContract } from "../../../src/adapter/adapter-contract.js";
import { nodeHarness } from "../../support/node-harness.js";

// `broken-adapters.test.ts` shows that each check fails where it should.
describe("bare Node", () => {
  const harness = nodeHarness();
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
