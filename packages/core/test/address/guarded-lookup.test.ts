import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { createSystemResolve, guardedLookup } from "../../src/address/guarded-lookup.js";

const INSIDE = { address: "10.0.0.1", family: 4 };
const V6 = { address: "2606:4700::1111", family: 6 };
const V4 = { address: "93.184.216.34", family: 4 };

function ask(answer: Promise<readonly LookupAddress[]>, all: boolean): Promise<unknown> {
  const lookup = guardedLookup(
    () => answer,
    (ip) => ip !== INSIDE.address,
  );
  return new Promise((resolve) => {
    lookup("hooks.example", { all }, (error, address, family) => {
      resolve(error ? error.code : [address, family]);
    });
  });
}

describe("guardedLookup", () => {
  it.each([
    ["all permitted addresses", [INSIDE, V6, V4], true, [[V6, V4], undefined]],
    ["the first permitted address", [INSIDE, V6, V4], false, [V6.address, 6]],
    ["nothing if none is permitted", [INSIDE], true, "DESTINATION_BLOCKED"],
    ["nothing if the host has no address", [], false, "DESTINATION_BLOCKED"],
  ])("hands out %s", async (_, addresses, all, expected) => {
    expect(await ask(Promise.resolve(addresses), all)).toEqual(expected);
  });

  it("hands on the failure of the resolver", async () => {
    const failure = Promise.reject(Object.assign(new Error("no"), { code: "ESERVFAIL" }));
    expect(await ask(failure, true)).toBe("ESERVFAIL");
  });
});

describe("createSystemResolve", () => {
  it("asks about a name once at a time", async () => {
    const resolve = createSystemResolve();
    const first = resolve("localhost");
    expect(resolve("localhost")).toBe(first);
    const addresses = await first;
    expect(addresses.length).toBeGreaterThan(0);
    for (const { address } of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
    expect(resolve("localhost")).not.toBe(first);
  });

  it("forgets a failure", async () => {
    const resolve = createSystemResolve();
    const first = resolve("-.invalid");
    await expect(first).rejects.toMatchObject({ code: expect.any(String) as unknown });
    const second = resolve("-.invalid");
    expect(second).not.toBe(first);
    await expect(second).rejects.toBeInstanceOf(Error);
  });
});
