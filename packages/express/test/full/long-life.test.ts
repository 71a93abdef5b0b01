import { adapterContract } from "@riskgate/testing";
import express from "express";
import { describe, expect, it } from "vitest";
import { expressHarness } from "../express-harness.js";

/** The harness without its own numbers of requests: 10,000 in each check. */
const { floodRequests: _, lifeRequests: __, ...harness } = expressHarness("Express 5", express);

describe(harness.name, () => {
  for (const check of adapterContract.filter(({ id }) => id === "WHR-29" || id === "LIF-06")) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
