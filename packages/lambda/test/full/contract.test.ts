import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { inLambda } from "../../../../tools/test/web-contract.js";
import { KINDS } from "../lambda-bridge.js";
import { lambdaHarness } from "../lambda-harness.js";

describe.each(KINDS.map(lambdaHarness))("$name", (harness) => {
  it.each(inLambda(adapterContract))("$id $title", { timeout: 400_000 }, async (check) => {
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});
