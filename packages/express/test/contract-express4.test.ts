import { adapterContract } from "@riskgate/testing";
import express from "express4";
import { describe, it } from "vitest";
import { expressHarness } from "./express-harness.js";

const harness = expressHarness("Express 4", express, 1000);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, async () => check.run(harness), check.timeoutMs);
  }
});
