import { iso31661Alpha2ToAlpha3 } from "iso-3166";
import { describe, expect, it } from "vitest";
import { COUNTRY_CODES } from "../../src/address/country-codes.js";

describe("country codes", () => {
  it("are those of the standard", () => {
    expect(COUNTRY_CODES).toEqual(iso31661Alpha2ToAlpha3);
  });
});
