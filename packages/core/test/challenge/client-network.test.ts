import { describe, expect, it } from "vitest";
import { clientNetwork } from "../../src/challenge/client-network.js";

describe("clientNetwork", () => {
  it.each([
    ["8.8.8.8", "8.8.8.8"],
    ["::ffff:8.8.8.8", "8.8.8.8"],
    ["64:ff9b::8.8.8.8", "8.8.8.8"],
    ["64:ff9b::808:808", "8.8.8.8"],
    ["2001:db8:1:2:3:4:5:6", "20010db8:10002/64"],
    ["2001:0DB8:1:2::9", "20010db8:10002/64"],
    ["2001:db8:1:3::9", "20010db8:10003/64"],
  ])("makes %s to %s", (ip, network) => {
    expect(clientNetwork(ip)).toBe(network);
  });

  it.each([undefined, null, "", "unknown", 7, {}])("has none for %j", (ip) => {
    expect(clientNetwork(ip)).toBeNull();
  });
});
