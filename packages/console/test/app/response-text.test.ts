import { describe, expect, it } from "vitest";
import { isRelease, responderOf } from "../../src/app/response-text.js";

describe("a response", () => {
  it("is a release only if an operator sent it for a second", () => {
    const payload = { properties: { duration_seconds: 1 } };
    expect(isRelease({ playbookId: "operator", payload })).toBe(true);
    expect(isRelease({ playbookId: "p", payload })).toBe(false);
    expect(isRelease({ playbookId: "operator", payload: {} })).toBe(false);
  });

  it("names its playbook, unless it was erased", () => {
    expect(responderOf({ payload: { playbook: { name: "Stop" } } })).toBe("Stop");
    expect(responderOf({ payload: {} })).toBe("");
  });
});
