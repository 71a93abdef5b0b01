import { expect, it } from "vitest";
import { fuzzOpenapi } from "../../support/fuzz-openapi.js";

it("openapi.yaml describes the answers to 5,000 requests", async () => {
  await expect(fuzzOpenapi(5_000)).resolves.toBeUndefined();
}, 600_000);
