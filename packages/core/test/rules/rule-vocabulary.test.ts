import { describe, expect, it } from "vitest";
import { createRules } from "../../src/rules/create-rules.js";

describe("the vocabulary of a gate", () => {
  it.each([{ network: ["192.0.2.0/24"] }, { email: ["ada@example.com"] }])(
    "refers to the gate's lists instead of %o",
    (when) => {
      expect(() => createRules([{ name: "one", when, outcome: "allow" }])).toThrow(
        /list it in the gate's `allow` or `deny`/,
      );
    },
  );
});
