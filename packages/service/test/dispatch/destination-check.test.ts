import { describe, expect, it, vi } from "vitest";
import { createDestinationCheck } from "../../src/dispatch/destination-check.js";

const at = (...addresses: readonly string[]) =>
  createDestinationCheck(
    async () => addresses.map((address) => ({ address, family: 4 })),
    () => [{ address: "127.0.0.1", port: 8080 }],
  );

describe("createDestinationCheck", () => {
  it.each([
    ["a public address", at(), "https://93.184.216.34/", []],
    ["a host with one public address", at("10.0.0.1", "93.184.216.34"), "https://x.test/", []],
    ["an allowed network", at("10.0.0.1"), "http://x.test/", ["10.0.0.0/8"]],
    ["a host without an address", at(), "https://x.test/", []],
    ["a text that is no URL", at(), "x", []],
  ])("has nothing against %s", async (_, check, url, allowed) => {
    expect(await check(url, allowed)).toBe(undefined);
  });

  it("names the address that is blocked", async () => {
    expect(await at("10.0.0.1", "10.0.0.2")("https://x.test/", [])).toBe("10.0.0.1");
    expect(await at()("http://[fd00::1]/", ["10.0.0.0/8"])).toBe("fd00::1");
  });

  it("names the service itself, though its network is allowed", async () => {
    const allowed = ["127.0.0.0/8"];
    expect(await at()("http://127.0.0.1:8080/", allowed)).toBe("127.0.0.1");
    expect(await at()("http://127.0.0.1:8081/", allowed)).toBe(undefined);
  });

  it("does not wait for a name server that hangs", async () => {
    vi.useFakeTimers();
    try {
      const check = createDestinationCheck(
        () => new Promise(() => {}),
        () => [],
      );
      const checked = check("https://x.test/", []);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await checked).toBe(undefined);
    } finally {
      vi.useRealTimers();
    }
  });
});
