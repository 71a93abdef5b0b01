import { describe, expect, it } from "vitest";
import { createPartList } from "../../src/base/part-list.js";

describe("the parts of a service", () => {
  it("start in order, and close once in reverse", async () => {
    const calls: string[] = [];
    const parts = createPartList();
    for (const name of ["storage", "intake", "server"]) {
      parts.add({
        start: async () => void calls.push(`start ${name}`),
        close: async () => void calls.push(`close ${name}`),
      });
    }
    await parts.start();
    await parts.close();
    await parts.close();
    expect(calls).toEqual([
      "start storage",
      "start intake",
      "start server",
      "close server",
      "close intake",
      "close storage",
    ]);
  });
});
