import { describe, expect, it } from "vitest";
import { normalizePath, pathMatcher } from "../../src/rules/rule-path.js";

describe("normalizePath", () => {
  it.each([
    ["/signup", "/signup"],
    ["/signup?next=/", "/signup"],
    ["/signup#form", "/signup"],
    ["/SignUp/", "/signup"],
    ["/sign%75p", "/signup"],
    ["/a%2Fb", "/a%2fb"],
    ["/%zz", "/%zz"],
    ["/", "/"],
    ["///", "/"],
    ["//a///b//", "/a/b"],
    ["http://app.test:8080/SignUp?x", "/signup"],
    ["http://app.test", "/"],
    ["*", undefined],
    ["", undefined],
  ])("makes of %j %j", (target, path) => {
    expect(normalizePath(target)).toBe(path);
  });
});

describe("pathMatcher", () => {
  it.each([
    [["/signup"], "/signup", true],
    [["/SIGNUP/"], "/signup", true],
    [["/signup"], "/signup/2", false],
    [["/api/*"], "/api/v1/users", true],
    [["/api/*"], "/api", false],
    [["/api/*"], "/apis", false],
    [["/*"], "/", true],
    [["/login", "/%61pi/*"], "/api/x", true],
  ])("of %j for %s: %s", (patterns, path, expected) => {
    expect(pathMatcher(patterns)(path)).toBe(expected);
  });
});
