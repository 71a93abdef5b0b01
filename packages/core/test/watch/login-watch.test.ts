import { describe, expect, it } from "vitest";
import { createLoginWatch } from "../../src/watch/login-watch.js";
import { successOf } from "../../src/watch/login-status.js";

const reporter = { login() {} };

describe("createLoginWatch", () => {
  it.each<[string, unknown, RegExp]>([
    ["no reporter", {}, /`reporter` must be a reporter, as created by createReporter\(\)/],
    ["something else", { reporter: {} }, /`reporter` must be a reporter/],
    ["a status as `success`", { reporter, success: 200 }, /`success` must be a function/],
    ["an option of the gate", { reporter, email: () => "x" }, /`email`: unknown option/],
    ["wrong proxies", { reporter, trustedProxies: ["here"] }, /`trustedProxies\[0\]`/],
  ])("refuses %s", (_, options, message) => {
    expect(() => createLoginWatch(options as never)).toThrow(message);
  });
});

describe("successOf", () => {
  it("leaves out what does not speak of the credentials", () => {
    expect([200, 302, 401, 423, 429, 500, 503, 101].map(successOf)).toEqual([
      true,
      true,
      false,
      false,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
