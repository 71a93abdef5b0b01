import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { inNext } from "../../../../tools/test/web-contract.js";
import { nextHarness } from "../next-harness.js";

describe.each([nextHarness])("$name", (harness) => {
  it.each(inNext(adapterContract))("$id $title", { timeout: 400_000 }, async (check) => {
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});
