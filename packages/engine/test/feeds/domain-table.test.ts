import * as fc from "fast-check";
import mailchecker from "mailchecker";
import { describe, expect, it } from "vitest";
import { DomainTable } from "../../src/feeds/domain-table.js";

/** All marks on the way, as digits. */
const digits = (marks: number, mark: number): number => marks * 10 + mark;

const label = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 1, maxLength: 3 });
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));

describe("DomainTable", () => {
  it("finds the domains above a name and the name itself, the shortest first", () => {
    const table = new DomainTable();
    table.set("example.com", 1);
    table.set("b.example.com", 2);
    table.set("a.b.example.com", 3);
    table.set("com", 9);
    expect(table.join("example.com", digits)).toBe(1);
    expect(table.join("a.b.example.com", digits)).toBe(123);
    expect(table.join("x.a.b.example.com", digits)).toBe(123);
    expect(table.join("x.example.com", digits)).toBe(1);
    expect(table.join("xexample.com", digits)).toBe(0);
    expect(table.join("com", digits)).toBe(0);
    expect(table.join("", digits)).toBe(0);
  });

  it("answers as a map does, whatever the names", () => {
    const marked = fc.array(fc.tuple(name, fc.integer({ min: 1, max: 9 })), { maxLength: 200 });
    fc.assert(
      fc.property(marked, fc.array(name, { maxLength: 50 }), (entries, asked) => {
        const table = new DomainTable();
        const map = new Map<string, number>();
        for (const [text, mark] of entries) {
          table.set(text, mark);
          map.set(text, mark);
        }
        for (const text of [...asked, ...map.keys()]) {
          const labels = text.split(".");
          const above = labels.map((_, from) => labels.slice(from).join(".")).toReversed();
          const expected = above
            .slice(1)
            .flatMap((domain) => map.get(domain) ?? [])
            .reduce(digits, 0);
          expect(table.join(text, digits)).toBe(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("tells apart the names of a long list and others that are nearly the same", () => {
    const listed = mailchecker.blacklist();
    const table = new DomainTable();
    for (const text of listed) table.set(text, 1);
    const first = (marks: number, mark: number): number => marks + mark;
    let wrong = 0;
    for (const text of listed) {
      if (table.join(text, first) === 0) wrong++;
      for (const other of [`x${text}`, text.slice(1), `${text}x`, text.replace(/[aeiou]/, "0")]) {
        const above = [...other.matchAll(/\./g)].map(({ index }) => other.slice(index + 1));
        const isListed = [other, ...above].some((domain) => listed.has(domain));
        if (table.join(other, first) > 0 !== isListed) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });
});
