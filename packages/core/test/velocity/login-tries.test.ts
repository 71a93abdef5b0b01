import { describe, expect, it } from "vitest";
import type { VelocityReading } from "../../src/model/velocity-reading.js";
import { createLoginTries } from "../../src/velocity/login-tries.js";
import { createVelocity } from "../../src/velocity/velocity.js";

function open() {
  const clock = { nowMs: 0 };
  const tries = createLoginTries(() => clock.nowMs);
  const begin = (request: object, ...names: string[]) => {
    const ahead = tries.begin(request, names);
    return names.map((name) => ahead.get(name));
  };
  return { clock, begin, end: tries.end };
}

describe("logins whose outcome is not known", () => {
  it("count once for each request and counter, until they end", () => {
    const { begin, end } = open();
    const [first, second] = [{}, {}];
    expect(begin(first, "a", "b")).toEqual([0, 0]);
    expect(begin(first, "a", "c")).toEqual([0, 0]);
    expect(begin(second, "a", "b", "d")).toEqual([1, 1, 0]);
    end(first);
    end(first);
    expect(begin({}, "a", "c")).toEqual([1, 0]);
  });

  it("end after 10 seconds", () => {
    const { clock, begin } = open();
    begin({}, "a");
    clock.nowMs = 9_999;
    expect(begin({}, "a")).toEqual([1]);
    clock.nowMs = 10_000;
    expect(begin({}, "a")).toEqual([1]);
    clock.nowMs = 30_000;
    expect(begin({}, "a")).toEqual([0]);
  });

  it("end with the oldest if there are more than 10,000", () => {
    const { begin } = open();
    for (let index = 0; index < 10_010; index++) begin({}, "all", `of ${index}`);
    expect(begin({}, "all", "of 0", "of 10009")).toEqual([10_000, 0, 1]);
  });

  it("add to the failures of a mailbox, and only shared points to those of an address", () => {
    const velocity = createVelocity({ counts: "failed_logins" });
    const facts = (account: string) => ({ email: `${account}@shop.example`, ip: "9.9.9.9" });
    const read = (account: string): VelocityReading | undefined => {
      const ahead = velocity.begin!({}, facts(account));
      return velocity.read(facts(account), ahead) as VelocityReading | undefined;
    };
    for (let index = 0; index < 13; index++) read("ann");
    const signals = [{ name: "mailbox", count: 13, weight: 67 }];
    expect(read("ann")).toEqual({ adds: 0, sharedAdds: 67, signals });
    for (let index = 0; index < 65; index++) read(`user${index}`);
    expect(read("bob")).toEqual({
      adds: 0,
      sharedAdds: 93,
      signals: [
        { name: "in_flight", count: 59, weight: 93 },
        { name: "ipv4_24", count: 59, weight: 11 },
      ],
    });
    expect(velocity.read(facts("bob"))).toBeUndefined();
  });
});
