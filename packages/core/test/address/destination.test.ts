import { describe, expect, it } from "vitest";
import { isPublicDestination } from "../../src/address/destination.js";
import { destinationOf } from "../../src/address/host-address.js";

describe("destinationOf", () => {
  it.each([
    ["an IPv4 address", "8.8.8.8", "8.8.8.8"],
    ["a mapped address", "::ffff:10.0.0.1", "10.0.0.1"],
    ["a translated address", "64:ff9b::10.0.0.1", "10.0.0.1"],
    ["an IPv6 address", "2606:4700::1111", "2606:4700::1111"],
    ["a name", "localhost", undefined],
  ])("finds where %s leads", (_label, ip, expected) => {
    expect(destinationOf(ip)).toBe(expected);
  });
});

describe("isPublicDestination", () => {
  it.each([
    ["8.8.8.8", true],
    ["64:ff9b::8.8.8.8", true],
    ["2606:4700::1111", true],
    ["64:ff9b::10.0.0.1", false],
    ["::127.0.0.1", false],
    ["4000::1", false],
    ["169.254.169.254", false],
    ["localhost", false],
  ])("judges %s", (ip, expected) => {
    expect(isPublicDestination(ip)).toBe(expected);
  });
});
