import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { inShort } from "../../../tools/test/web-contract.js";
import { expressHarness, fastifyHarness } from "./nest-harness.js";

// `full` runs the whole contract.
describe.each([expressHarness, fastifyHarness])("$name", (harness) => {
  it.each(inShort(adapterContract))("$id $title", async (check) => {
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});
