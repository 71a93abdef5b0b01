import { describe, expect, it } from "vitest";
import { accountsIn, addressesIn } from "../../src/app/event-subjects.js";

describe("the subjects of an event", () => {
  it("are each named once, and none if it was erased", () => {
    const payload = {
      ips: [{ address: "192.0.2.1" }, { address: "192.0.2.1" }, null, {}],
      application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
    };
    expect(addressesIn(payload)).toEqual(["192.0.2.1"]);
    expect(accountsIn(payload)).toEqual(["ada@shop.example"]);
    expect([addressesIn({}), accountsIn({ application_account_account_keys: "x" })]).toEqual([
      [],
      [],
    ]);
  });
});
