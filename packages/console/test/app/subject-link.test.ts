import { describe, expect, it } from "vitest";
import { accountPath, addressPath, subjectIn, subjectPath } from "../../src/app/subject-link.js";

describe("the path of a subject", () => {
  it.each([
    ["203.0.113.7", "/addresses/203.0.113.7"],
    ["2001:db8::7", "/addresses/2001%3Adb8%3A%3A7"],
    ["ada@shop.example", "/accounts/ada%40shop.example"],
    ["user/42", "/accounts/user%2F42"],
    ["100%40", "/accounts/100%2540"],
  ])("of %s is %s, and names it again", (name, path) => {
    expect(subjectPath(name)).toBe(path);
    expect(subjectIn(`/console${path}`)).toBe(name);
  });

  it("is made for each type, and read even if it was cut off", () => {
    expect([addressPath("::1"), accountPath("a")]).toEqual(["/addresses/%3A%3A1", "/accounts/a"]);
    expect(subjectIn("/console/accounts/ada%4")).toBe("ada%4");
  });
});
