import { describe, expect, it } from "vitest";
import { enumeration, sentText } from "../../src/app/block-text.js";

const addressee = (name: string, isSent = true) => ({ id: name, name, isSent });

describe("the result of a block", () => {
  it.each([
    ["Blocked.", []],
    ["Blocked: sent to Shop.", [addressee("Shop")]],
    [
      "Blocked: sent to Shop and Pay. Blog receives no security responses.",
      [addressee("Shop"), addressee("Blog", false), addressee("Pay")],
    ],
    [
      "Blocked. A and B receive no security responses.",
      [addressee("A", false), addressee("B", false)],
    ],
  ])("says %s", (text, sentTo) => {
    expect(sentText("Blocked", sentTo)).toBe(text);
  });
});

describe("an enumeration", () => {
  it("cuts long lists", () => {
    expect(enumeration([])).toBe("");
    expect(enumeration(["a", "b", "c"])).toBe("a, b and c");
    expect(enumeration(["a", "b", "c", "d"])).toBe("a, b and 2 others");
  });
});
