import { it } from "vitest";
import { fuzzOpenapi } from "../../support/fuzz-openapi.js";

it("openapi.yaml describes the answers to 5,000 requests", () => fuzzOpenapi(5_000), 600_000);
