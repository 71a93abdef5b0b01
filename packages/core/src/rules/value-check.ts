import { typeName } from "../base/type-name.js";
import type { RuleProblem } from "./rule-problem.js";

const MAX_SHOWN = 60;

// oxlint-disable-next-line no-control-regex -- It matches control characters on purpose.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** Checks JSON values and collects every problem; invalid values become undefined. */
export class ValueCheck {
  readonly #problems: RuleProblem[] = [];

  get problems(): readonly RuleProblem[] {
    return this.#problems;
  }

  report(pointer: string, reason: string): undefined {
    this.#problems.push({ pointer, reason });
    return undefined;
  }

  expected(pointer: string, expected: string, given: unknown): undefined {
    return this.report(pointer, `expected ${expected}, given ${show(given)}`);
  }

  /** Returns an object's own members; checks that all names are known and that there are enough. */
  members(
    value: unknown,
    pointer: string,
    known: readonly string[],
    min = 0,
  ): Readonly<Record<string, unknown>> | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.expected(pointer, "an object", value);
    }
    // Inherited members are not part of the rules, and undefined means omitted.
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    for (const [name] of entries) {
      if (known.includes(name)) continue;
      const names = known.map((one) => `\`${one}\``).join(", ");
      const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      this.report(place, `unknown member; known are ${names}`);
    }
    if (entries.length < min) return this.expected(pointer, "at least one condition", value);
    return Object.fromEntries(entries);
  }

  list(
    value: unknown,
    pointer: string,
    { min, max }: { readonly min: number; readonly max: number },
  ): readonly unknown[] | undefined {
    const expected = `a list of ${min} to ${max} items`;
    if (!Array.isArray(value)) return this.expected(pointer, expected, value);
    const list: readonly unknown[] = value;
    if (list.length >= min && list.length <= max) return list;
    return this.report(pointer, `expected ${expected}, given a list of ${list.length}`);
  }

  /** Returns a frozen list of at least one item, each checked. */
  items<T>(
    value: unknown,
    pointer: string,
    max: number,
    read: (item: unknown, pointer: string) => T | undefined,
  ): readonly (T | undefined)[] | undefined {
    const list = this.list(value, pointer, { min: 1, max });
    // Not `map`, which skips the holes of a sparse list.
    return (
      list && Object.freeze(Array.from(list, (item, index) => read(item, `${pointer}/${index}`)))
    );
  }

  text(value: unknown, pointer: string, max: number): string | undefined {
    const isText = typeof value === "string" && value.trim() !== "" && value.length <= max;
    if (!isText) return this.expected(pointer, `a text of 1 to ${max} characters`, value);
    // Databases cannot store these characters, and terminals cannot show them.
    const isKept = value.isWellFormed() && !CONTROL.test(value);
    return isKept ? value : this.expected(pointer, "text without control characters", value);
  }

  word<Word extends string>(
    value: unknown,
    pointer: string,
    words: readonly Word[],
  ): Word | undefined {
    const word = words.find((one) => one === value);
    const expected = words.map((one) => `"${one}"`).join(", ");
    return word ?? this.expected(pointer, `one of ${expected}`, value);
  }

  boolean(value: unknown, pointer: string): boolean | undefined {
    return typeof value === "boolean" ? value : this.expected(pointer, "true or false", value);
  }

  number(value: unknown, pointer: string, min: number, max: number): number | undefined {
    const isInside = typeof value === "number" && value >= min && value <= max;
    return isInside ? value : this.expected(pointer, `a number from ${min} to ${max}`, value);
  }

  whole(value: unknown, pointer: string, min: number, max: number): number | undefined {
    const isWhole = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
    if (isWhole) return value as number;
    return this.expected(pointer, `a whole number from ${min} to ${max}`, value);
  }
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") {
    return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value);
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeName(value);
}
