import { describe, expect, it } from "vitest";
import { EventEmitter, once } from "node:events";
import { setImmediate as nextTask } from "node:timers/promises";
import { readAnyBody } from "../../src/decision/body-readings.js";
import type { VelocityFacts } from "../../src/model/velocity.js";
import type { Reporter } from "../../src/report/reporter.js";
import type { LoginReport } from "../../src/report/report.js";
import { createLoginWatch } from "../../src/watch/login-watch.js";
import { successOf } from "../../src/watch/login-status.js";

const reporter = { login() {} };

describe("createLoginWatch", () => {
  it.each<[string, unknown, RegExp]>([
    ["no reporter", {}, /`reporter` must be a reporter, as created by createReporter\(\)/],
    ["something else", { reporter: {} }, /`reporter` must be a reporter/],
    ["a status as `success`", { reporter, success: 200 }, /`success` must be a function/],
    ["an option of the gate", { reporter, email: () => "x" }, /`email`: unknown option/],
    [
      "no account",
      { reporter, account: false },
      /`account` must be a path such as "user.email" or/,
    ],
    ["a path with an empty name", { reporter, account: "user..email" }, /`account` must be a path/],
    ["wrong proxies", { reporter, trustedProxies: ["here"] }, /`trustedProxies\[0\]`/],
  ])("refuses %s", (_, options, message) => {
    expect(() => createLoginWatch(options as never)).toThrow(message);
  });
});

const ANN = "ann@x.com";
const BOB = "bob@x.com";
const IP = "9.9.9.9";

/** What a login with a body adds to counts and reports. */
async function counted(given: unknown, status = 401, options: object = {}, isGone = false) {
  const facts: VelocityFacts[] = [];
  const logins: LoginReport[] = [];
  const velocity = {
    counts: "failed_logins",
    isSync: true,
    count: (one: VelocityFacts) => void facts.push(one),
    succeeded: (one: VelocityFacts) => void facts.push({ ...one, asn: 1 }),
    read: () => undefined,
  };
  const watch = createLoginWatch({
    velocity: velocity as never,
    reporter: { login: (login: LoginReport) => void logins.push(login) } as unknown as Reporter,
    ...options,
  });
  const head = { headers: {}, socket: {}, readableDidRead: true };
  const response = Object.assign(new EventEmitter(), {
    headersSent: true,
    statusCode: status,
    destroyed: isGone,
  });
  watch.begin({
    args: [{}],
    request: head,
    response: response as never,
    ip: IP,
    body: readAnyBody(given, head),
    unsafeTrust: () => undefined,
  });
  const closed = isGone ? nextTask() : once(response, "close");
  if (!isGone) response.emit("close");
  await closed;
  return { facts, accounts: logins.map(({ account }) => account) };
}

describe("a login", () => {
  const only = { email: ANN, ip: IP };
  const both = [{ email: undefined, ip: IP }, { email: ANN }, { email: BOB }];
  const unread = [{ email: undefined, ip: IP }];

  it.each<[string, unknown, readonly VelocityFacts[], readonly string[]]>([
    ["an email", { email: ANN }, [only], [ANN]],
    ["a number", { email: 7 }, [{ email: "7", ip: IP }], ["7"]],
    ["a list of one", { email: [ANN] }, [only], [ANN]],
    ["a list of two", { email: [ANN, BOB, ANN] }, both, [ANN, BOB]],
    [
      "two mailboxes in one text",
      { email: `${ANN}, ${BOB}` },
      [{ email: `${ANN}, ${BOB}`, ip: IP }],
      [BOB, ANN],
    ],
    [
      "a long display name",
      { email: `${"x".repeat(400)} <${ANN}>` },
      [{ email: `${"x".repeat(400)} <${ANN}>`, ip: IP }],
      [ANN],
    ],
    [
      "a text that is too long to be read",
      { email: "x".repeat(2_000) },
      [{ email: "x".repeat(2_000), ip: IP }],
      [],
    ],
    ["a list of four", { email: ["a", "b", "c", "d"] }, unread, []],
    ["an object", { email: { $ne: null } }, unread, []],
    ["null", { email: null }, unread, []],
    ["no email", { name: "Ann" }, [], []],
    ["no body", undefined, [], []],
    ["JSON as text", JSON.stringify({ email: ANN }), [only], [ANN]],
    ["a form as bytes", Buffer.from(`email=${ANN}`), [only], [ANN]],
    ["a form with two emails", `email=${ANN}&email=${BOB}`, both, [ANN, BOB]],
    ["a form with a list", `email[]=${ANN}`, [only], [ANN]],
    ["JSON that is also a form", `{"email":"${ANN}","a":"&email=${BOB}&"}`, both, [ANN, BOB]],
    ["a body that no parser understands", Buffer.from([0, 159, 1]), unread, []],
  ])("with %s that fails counts for what can be read", async (_, body, facts, accounts) => {
    const found = await counted(body);
    expect(found.facts).toEqual(facts);
    expect(found.accounts.toSorted()).toEqual(accounts.toSorted());
  });

  it.each<[string, unknown, readonly VelocityFacts[], readonly string[]]>([
    ["an email", { email: ANN }, [{ ...only, asn: 1 }], [ANN]],
    ["a list of one", { email: [ANN] }, [{ ...only, asn: 1 }], [ANN]],
    ["a list of two", { email: [ANN, BOB] }, [], []],
    ["an object", { email: {} }, [], []],
  ])("with %s that succeeds counts for one account or none", async (_, body, facts, accounts) => {
    expect(await counted(body, 200)).toEqual({ facts, accounts });
  });

  it("counts if its client disconnected before the watch began", async () => {
    expect((await counted({ email: ANN }, 401, {}, true)).facts).toEqual([only]);
  });

  it("is read by a path or a function", async () => {
    const nested = { user: { email: ANN } };
    expect((await counted(nested, 401, { account: "user.email" })).accounts).toEqual([ANN]);
    expect((await counted({}, 401, { account: () => [ANN, BOB] })).facts).toEqual(both);
    const errors: unknown[] = [];
    const account = () => {
      throw new Error("failed on purpose");
    };
    const options = { account, onError: (error: unknown) => errors.push(error) };
    expect((await counted({}, 401, options)).facts).toEqual(unread);
    expect(errors).toMatchObject([{ code: "HOOK_FAILED", message: "`account` failed" }]);
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
