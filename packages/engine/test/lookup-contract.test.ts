import { lookupContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { createEngine } from "../src/engine.js";

describe("createEngine", () => {
  const harness = {
    name: "engine",
    async open() {
      const engine = await createEngine();
      return { lookup: engine, close: () => engine.close() };
    },
  };
  for (const check of lookupContract) {
    it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  }
});
