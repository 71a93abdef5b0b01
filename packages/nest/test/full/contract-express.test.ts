import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { expressHarness } from "../nest-harness.js";

describe(expressHarness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(expressHarness)).resolves.toBeUndefined();
    });
  }
});
