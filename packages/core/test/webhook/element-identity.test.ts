import { describe, expect, it } from "vitest";
import { elementKey } from "../../src/webhook/element-identity.js";
import type { RawObject } from "../../src/webhook/raw-object.js";

const keyOf = (raw: RawObject): string | undefined => elementKey(raw, JSON.stringify(raw));

describe("elementKey", () => {
  it("is the same for the same type, id and content", () => {
    const raw = { service_payload_type: "pulse", id: "a", n: 1 };
    expect(keyOf(raw)).toBe(keyOf({ ...raw }));
    expect(keyOf(raw)).toMatch(/^[\w-]{43}$/);
  });

  it("is another for another type, id or content", () => {
    const keys = [
      keyOf({ service_payload_type: "pulse", id: "a" }),
      keyOf({ service_payload_type: "test", id: "a" }),
      keyOf({ service_payload_type: "pulse", id: "b" }),
      keyOf({ service_payload_type: "pulse", id: "a", accounts_count: 2 }),
      keyOf({ service_payload_type: "security_event", event_id: "a" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([[{}], [{ id: null }], [{ id: 7 }], [{ id: {} }], [{ event_id: null, id: null }]])(
    "PAY-07 INB-13 gives none to %j, which is never a duplicate",
    (raw) => {
      expect(keyOf(raw)).toBeUndefined();
    },
  );

  it("takes either spelling of the id", () => {
    expect(keyOf({ id: "a" })).toBeDefined();
    expect(keyOf({ event_id: null, id: "a" })).toBeDefined();
  });
});
