import { createRequire } from "node:module";
import { adapterContract } from "@riskgate/testing";
import express from "express";
import { describe, expect, it } from "vitest";
import { expressHarness } from "./express-harness.js";

const express4 = createRequire(import.meta.url)("express4") as typeof express;
const harness = expressHarness("Express 5", express);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});

// `full/contract-express4.test.ts` runs the whole contract on it.
describe("Express 4", () => {
  const older = expressHarness("Express 4", express4);
  for (const check of adapterContract.filter(({ id }) => id === "ADP-01")) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(older)).resolves.toBeUndefined();
    });
  }
});
