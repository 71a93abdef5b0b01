import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/base/options.js";
import { readFlagOutcomes } from "../../src/decision/read-flag-outcomes.js";
import { isFlagOutcomes } from "../../src/model/flag-outcomes.js";
import { FLAG_NAMES, WIRE_FLAGS, wireFlagOf } from "../../src/model/flags.js";
import { thrown } from "../support/caught.js";

const read = (outcomes: unknown) => readOptions("createGate", { outcomes }, readFlagOutcomes);
const ALL = FLAG_NAMES.join(", ");

describe("flag names", () => {
  it("name each flag of an assessment once", () => {
    expect(FLAG_NAMES.map(wireFlagOf)).toEqual(WIRE_FLAGS);
    expect(FLAG_NAMES).toContain("malformed");
  });

  it("leave the wire spelling as it is", () => {
    expect(WIRE_FLAGS.map(wireFlagOf)).toEqual(WIRE_FLAGS);
  });
});

describe("the option `outcomes`", () => {
  it("is read without empty lists", () => {
    expect(read({ reject: ["tor"], challenge: [], flag: ["vpn", "proxy"] })).toEqual({
      reject: ["tor"],
      flag: ["vpn", "proxy"],
    });
    expect(read({ reject: [] })).toBeUndefined();
    expect(read(undefined)).toBeUndefined();
    expect(read(false)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [
      { reject: ["disposible"] },
      `\`outcomes.reject\` must be a list of ${ALL}, given "disposible"`,
    ],
    [{ flag: ["is_tor"] }, `\`outcomes.flag\` must be a list of ${ALL}, given "is_tor"`],
    [{ flag: [7] }, `\`outcomes.flag\` must be a list of ${ALL}, given 7`],
    [{ reject: "tor" }, '`outcomes.reject` must be a list, given "tor"'],
    [
      { reject: ["tor"], flag: ["vpn", "tor"] },
      '`outcomes.flag` must be without flags of `outcomes.reject`, given "tor"',
    ],
    [
      { reject: ["tor", "tor"] },
      '`outcomes.reject` must be without flags of `outcomes.reject`, given "tor"',
    ],
    [
      { allow: ["tor"] },
      "`outcomes.allow`: unknown option; known are `challenge`, `flag`, `reject`",
    ],
    [["tor"], "`outcomes` must be an object, given a list"],
  ])("is refused as %j, with the reason", (given, message) => {
    expect(thrown(() => read(given)).message).toBe(message);
  });
});

describe("isFlagOutcomes", () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [{ reject: ["tor"], challenge: ["vpn"] }, true],
    [{ allow: ["tor"] }, false],
    [{ reject: ["bot"] }, false],
    [{ reject: "tor" }, false],
    [{ reject: ["tor"], flag: ["tor"] }, false],
    [null, false],
    ["tor", false],
  ])("checks %j of a record", (value, isUsable) => {
    expect(isFlagOutcomes(value)).toBe(isUsable);
  });
});
