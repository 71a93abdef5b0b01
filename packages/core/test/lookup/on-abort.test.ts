import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { onAbort } from "../../src/lookup/on-abort.js";

describe("onAbort", () => {
  it("calls every callback once, with one listener", () => {
    const controller = new AbortController();
    let calls = 0;
    for (let n = 0; n < 100; n++) onAbort(controller.signal, () => calls++);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort();
    expect(calls).toBe(100);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("leaves no listener when the last one stops", () => {
    const controller = new AbortController();
    let calls = 0;
    const stops = [1, 2].map(() => onAbort(controller.signal, () => calls++));
    for (const stop of stops) stop();
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    onAbort(controller.signal, () => calls++);
    controller.abort();
    expect(calls).toBe(1);
  });
});
