import { adapterContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { onWeb } from "../../../../tools/test/web-contract.js";
import { webHarness } from "../web-harness.js";

describe.each([webHarness("Web on Node")])("$name", (harness) => {
  it.each(onWeb(adapterContract))("$id $title", { timeout: 400_000 }, async (check) => {
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});
