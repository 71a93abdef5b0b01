import { describe, expect, it } from "vitest";
import { monotonicMs } from "../../src/base/clock.js";
import { fakeClock } from "../support/fake-clock.js";

describe("monotonicMs", () => {
  it("reads the clock each time", async () => {
    const pass = fakeClock();
    const started = monotonicMs();
    await pass(1);
    expect(monotonicMs()).toBe(started + 1);
  });
});
