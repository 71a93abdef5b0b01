import { describe, expect, it } from "vitest";
import { type OptionReader, readOptions } from "../../src/base/options.js";
import { thrown } from "../support/caught.js";

/** Reads options of every kind. */
const readAll = (options: OptionReader) => ({
  rejectAbove: options.number("rejectAbove", 80, { min: 0, max: 100 }),
  maxEntries: options.integer("maxEntries", 10),
  budgetMs: options.durationMs("budgetMs", 800),
  strict: options.boolean("strict", false),
  mode: options.oneOf("mode", ["enforce", "observe"], "enforce"),
  name: options.string("name"),
  hook: options.function<() => void>("hook"),
  hosts: options.list("hosts"),
  store: options.object<{ get(): void }>("store", ["get"]),
  ttlMs: options.group("cache")?.durationMs("ttlMs", 5),
  sizes: options.groups("feeds")?.map((feed) => feed.integer("size", 1)),
});

const read = (given: unknown) => readOptions("createThing", given, readAll);
const refusalOf = (given: unknown) => thrown(() => read(given));

describe("readOptions", () => {
  it("fills in the defaults", () => {
    expect(read({})).toMatchObject({ rejectAbove: 80, budgetMs: 800, mode: "enforce", ttlMs: 5 });
    expect(read({ cache: false }).ttlMs).toBeUndefined();
    expect(read({ budgetMs: undefined }).budgetMs).toBe(800);
  });

  it("reads a list of groups", () => {
    expect(read({}).sizes).toBeUndefined();
    expect(read({ feeds: [{ size: 3 }, {}] }).sizes).toEqual([3, 1]);
    expect(refusalOf({ feeds: [{}, { sise: 3 }] }).message).toBe(
      "`feeds[1].sise`: unknown option; did you mean `size`?",
    );
    expect(refusalOf({ feeds: [5] }).message).toBe("`feeds[0]` must be an object, given 5");
  });

  it("reads own properties only", () => {
    const inherited = Object.create({ rejectAbove: 0, unknown: 1 }) as object;
    expect(read(inherited).rejectAbove).toBe(80);
  });

  it("takes methods from a class", () => {
    class Store {
      get() {}
    }
    const store = new Store();
    expect(read({ store }).store).toBe(store);
  });

  it.each<[string, unknown, string]>([
    ["no options", undefined, "the options of createThing() must be an object, given nothing"],
    ["text for options", "x", 'the options of createThing() must be an object, given "x"'],
    ["a list for options", [], "the options of createThing() must be an object, given a list"],
    [
      "a promise for options",
      Promise.resolve({}),
      "the options of createThing() must be an object, given a promise; write `await` in front of it",
    ],
    [
      "a bound passed",
      { rejectAbove: 101 },
      "`rejectAbove` must be a number from 0 to 100, given 101",
    ],
    ["NaN", { rejectAbove: Number.NaN }, "`rejectAbove` must be a number from 0 to 100, given NaN"],
    [
      "a fraction",
      { maxEntries: 1.5 },
      "`maxEntries` must be a whole number of at least 1, given 1.5",
    ],
    [
      "a time that no timer can wait for",
      { budgetMs: 2 ** 31 },
      "`budgetMs` must be a time of 1 to 2147483647 milliseconds, given 2147483648",
    ],
    ["another word", { mode: "oberve" }, '`mode` must be "enforce" or "observe", given "oberve"'],
    [
      "text for a number",
      { budgetMs: "800" },
      '`budgetMs` must be a time of 1 to 2147483647 milliseconds, given "800"',
    ],
    ["null for a flag", { strict: null }, "`strict` must be true or false, given null"],
    ["null for a list", { hosts: null }, "`hosts` must be a list, given null"],
    ["null for a group", { cache: null }, "`cache` must be an object, given null"],
    [
      "an object without a method",
      { store: {} },
      "`store` must be an object with the method get, given an object",
    ],
    [
      "a promise of a store",
      { store: Promise.resolve() },
      "`store` must be an object with the method get, given a promise; write `await` in front of it",
    ],
    ["text for a group", { cache: "big" }, '`cache` must be an object, given "big"'],
    [
      "a wrong member of a group",
      { cache: { ttlMs: -1 } },
      "`cache.ttlMs` must be a time of 1 to 2147483647 milliseconds, given -1",
    ],
    [
      "another case",
      { rejectabove: 70 },
      "`rejectabove`: unknown option; did you mean `rejectAbove`?",
    ],
    [
      "a letter too many",
      { budgetsMs: 70 },
      "`budgetsMs`: unknown option; did you mean `budgetMs`?",
    ],
    [
      "an unknown member of a group",
      { cache: { ttl: 1 } },
      "`cache.ttl`: unknown option; did you mean `ttlMs`?",
    ],
  ])("refuses %s", (_, given, message) => {
    expect(refusalOf(given)).toMatchObject({ code: "CONFIG_INVALID", message });
  });

  it("finds what is required under a misspelled name", () => {
    const { message } = thrown(() =>
      readOptions("createThing", { lokup: {} }, (options) =>
        options.refuse("lookup", "a client", options.value("lookup")),
      ),
    );
    expect(message).toBe(
      "`lookup` must be a client, given nothing; did you misspell it as `lokup`?",
    );
  });

  it("lists the known names where none is near", () => {
    const { message } = refusalOf({ colour: 1 });
    expect(message).toContain("`colour`: unknown option; known are `budgetMs`, `cache`");
  });

  it("shows no more of a long text than its beginning", () => {
    expect(refusalOf({ mode: "x".repeat(1000) }).message.length).toBeLessThan(150);
  });

  it("never shows a secret", () => {
    const secret = thrown(() =>
      readOptions("createThing", { apiKey: "hush" }, (options) =>
        options.refuseSecret("apiKey", "visible ASCII", options.value("apiKey")),
      ),
    );
    expect(secret.message).toBe("`apiKey` must be visible ASCII, given a string");
  });
});
