import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { inShort } from "../../../tools/test/web-contract.js";
import { nextHarness } from "./next-harness.js";

// `full/contract.test.ts` runs the whole contract.
describe.each([nextHarness])("$name", (harness) => {
  it.each(inShort(adapterContract))("$id $title", async (check) => {
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});
