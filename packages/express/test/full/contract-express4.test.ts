import { createRequire } from "node:module";
import { adapterContract } from "@riskgate/testing";
import type express from "express";
import { describe, expect, it } from "vitest";
import { expressHarness } from "../express-harness.js";

const express4 = createRequire(import.meta.url)("express4") as typeof express;
const harness = expressHarness("Express 4", express4);

describe(harness.name, () => {
  for (const check of adapterContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
