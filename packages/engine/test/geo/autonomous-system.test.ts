import { describe, expect, it } from "vitest";
import { autonomousSystemOf } from "../../src/geo/autonomous-system.js";

describe("autonomousSystemOf", () => {
  it.each([
    ["at the top", { autonomous_system_number: 64500, autonomous_system_organization: "Net" }],
    [
      "among the traits",
      { traits: { autonomous_system_number: 64500, autonomous_system_organization: "Net" } },
    ],
  ])("finds number and organisation %s", (_, record) => {
    expect(autonomousSystemOf(record)).toEqual({ number: 64500, organisation: "Net" });
  });

  it.each([
    ["an empty name", { autonomous_system_number: 1, autonomous_system_organization: "" }],
    ["a name that is none", { autonomous_system_number: 1, autonomous_system_organization: 5 }],
    ["no name", { autonomous_system_number: 1 }],
  ])("gives the number alone for %s", (_, record) => {
    expect(autonomousSystemOf(record)).toEqual({ number: 1 });
  });

  it.each([
    ["nothing", null],
    ["a text", "AS64500"],
    ["a number as text", { autonomous_system_number: "64500" }],
    ["zero, which nobody announces", { autonomous_system_number: 0 }],
    ["a number beyond 32 bits", { autonomous_system_number: 2 ** 32 }],
    ["a fraction", { autonomous_system_number: 1.5 }],
    ["a name alone", { autonomous_system_organization: "Net" }],
    [
      "an inherited number",
      Object.create({ autonomous_system_number: 64500 }) as Record<string, unknown>,
    ],
  ])("finds none in %s", (_, record) => {
    expect(autonomousSystemOf(record)).toBeUndefined();
  });
});
