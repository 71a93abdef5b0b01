import { describe, expect, it } from "vitest";
import { elementKey } from "../src/element-key.js";

describe("elementKey", () => {
  it("is the same for the same type, id and content", () => {
    expect(elementKey("pulse", { id: "a", n: 1 })).toBe(elementKey("pulse", { id: "a", n: 1 }));
    expect(elementKey("pulse", { id: "a", n: 1 })).toMatch(/^[\w-]{43}$/);
  });

  it("is another for another type, id or content", () => {
    const keys = [
      elementKey("pulse", { id: "a" }),
      elementKey("test", { id: "a" }),
      elementKey("pulse", { id: "b" }),
      elementKey("pulse", { id: "a", accounts_count: 2 }),
      elementKey("security_event", { event_id: "a" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([[{}], [{ id: null }], [{ id: 7 }], [{ id: {} }], [{ event_id: null, id: null }]])(
    "PAY-07 INB-13 gives none to %j, which is never a duplicate",
    (raw) => {
      expect(elementKey("test", raw)).toBeUndefined();
    },
  );

  it("takes either spelling of the id", () => {
    expect(elementKey("security_event", { id: "a" })).toBeDefined();
    expect(elementKey("security_event", { event_id: null, id: "a" })).toBeDefined();
  });

  it("gives none to what is nested too deeply to be written down", () => {
    let deep: unknown = 1;
    for (let n = 0; n < 200_000; n++) deep = [deep];
    expect(elementKey("test", { id: "a", deep })).toBeUndefined();
  });
});
