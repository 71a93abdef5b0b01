import { adapterContract } from "@riskgate/testing";
import express from "express";
import { describe, expect, it } from "vitest";
import { expressHarness } from "./express-harness.js";

const harness = expressHarness("Express 5", express);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { retry: 3, timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
