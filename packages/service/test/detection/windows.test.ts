import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type WindowChange, WindowDraft, type Windows } from "../../src/detection/windows.js";

/** Windows that hold some values. */
function holding(changes: readonly WindowChange[]): Windows {
  const values = new Map(changes.map(({ map, key, value }) => [`${map}/${key}`, value]));
  return { get: (map, key) => values.get(`${map}/${key}`) };
}

const change = fc.record({
  map: fc.constantFrom("counts", "names"),
  key: fc.constantFrom("a", "b", "c"),
  value: fc.nat(),
});

describe("WindowDraft", () => {
  it("reads its changes before the windows below, which it leaves as they are", () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, within) => {
        const below = holding(before);
        const draft = new WindowDraft(below);
        draft.apply(within);
        const both = holding([...before, ...within]);
        for (const map of ["counts", "names"]) {
          for (const key of ["a", "b", "c"]) {
            expect(draft.get(map, key)).toBe(both.get(map, key));
            expect(below.get(map, key)).toBe(holding(before).get(map, key));
          }
        }
      }),
    );
  });

  it("lists each changed key once, with its latest value", () => {
    const draft = new WindowDraft(holding([{ map: "counts", key: "before", value: 1 }]));
    const counts = draft.map<number>("counts");
    counts.set("a", 1);
    counts.set("a", (counts.get("a") ?? 0) + 1);
    draft.map<string>("names").set("b", "Ada");
    expect(draft.changes()).toEqual([
      { map: "counts", key: "a", value: 2 },
      { map: "names", key: "b", value: "Ada" },
    ]);
  });
});
