import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/base/errors.js";
import { RiskGateError } from "../../src/base/errors.js";
import type { Decision } from "../../src/model/decision.js";
import type { GatedRequest } from "../../src/decision/gated-request.js";
import { createRequestGate } from "../../src/gate/request-gate.js";
import type { RequestGateOptions } from "../../src/gate/request-gate-options.js";
import { thrown } from "../support/caught.js";
import { countingLists, countingLookup } from "../support/counting-lookup.js";
import { doubleLookup, peekingLookup, untilAborted } from "../support/double-lookup.js";
import { fakeClock, unhandledRejections } from "../support/fake-clock.js";
import { type Args, gatedServer, signUp } from "../support/gated-server.js";
import { openRaw } from "../support/raw-client.js";
import { until } from "../support/until.js";
import { collectWarnings } from "../support/warnings.js";

const IP = "8.8.8.8";
const EMAIL = "a@x.y";
const down = new RiskGateError("NETWORK", "scripted");

describe("createRequestGate", () => {
  it.each<[string, object]>([
    ["skip", { skip: true }],
    ["email", { email: "user..email" }],
    ["email", { email: "" }],
    ["email", { email: true }],
    ["ip", { ip: "1.2.3.4" }],
    ["onReject", { onReject: {} }],
    ["onDecision", { onDecision: 1 }],
    ["trustedProxies", { trustedProxies: ["localhost"] }],
    ["trustedProxies", { trustedProxies: true }],
    ["rejectAbove", { rejectAbove: 101 }],
  ])("refuses a bad %s at set-up", (_, options) => {
    const given = { lookup: doubleLookup(), ...options } as RequestGateOptions<Args>;
    expect(thrown(() => createRequestGate(given)).code).toBe("CONFIG_INVALID");
  });
});

describe("what createRequestGate says", () => {
  it.each<[unknown, string]>([
    [undefined, "the options of riskGate() must be an object, given nothing"],
    [{ lookup: doubleLookup(), onReject: {} }, "`onReject` must be a function, given an object"],
    [
      { lookup: doubleLookup(), trustedproxies: [] },
      "`trustedproxies`: unknown option; did you mean `trustedProxies`?",
    ],
    [
      { lookup: doubleLookup(), reject: 90 },
      "`reject`: unknown option; did you mean `rejectAbove`?",
    ],
  ])("of %j: what is wrong, in the name of the adapter's function", (options, message) => {
    const given = options as RequestGateOptions<Args>;
    expect(thrown(() => createRequestGate(given)).message).toBe(message);
  });

  it("the name that an adapter gives", () => {
    const given = undefined as unknown as RequestGateOptions<Args>;
    expect(thrown(() => createRequestGate(given, "guardRoute")).message).toContain("guardRoute()");
  });
});

describe("guard", () => {
  it.each([
    [80, 200],
    [80.5, 403],
  ])("GAT-01 answers the score %d with %i", async (score, status) => {
    const server = await gatedServer({ lookup: doubleLookup({ [EMAIL]: score }), frameworkIp: IP });
    expect((await signUp(server.port, { email: EMAIL })).status).toBe(status);
    expect(server.passed).toBe(status === 200 ? 1 : 0);
    expect(server.decisions).toMatchObject([{ score }]);
  });

  it("GAT-03 sends only the code and the id of the decision", async () => {
    const lookup = doubleLookup({ [EMAIL]: 95.5, [IP]: 12.25 });
    const { port, decisions } = await gatedServer({ lookup, frameworkIp: IP });
    const { status, headers, text } = await signUp(port, { email: EMAIL });
    expect(status).toBe(403);
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(JSON.parse(text)).toEqual({
      type: "about:blank",
      title: "The request was refused",
      status: 403,
      code: "RISK_REJECTED",
      decisionId: decisions[0]!.id,
    });
  });

  it.each([
    ["allow", 200, null],
    ["flag", 200, null],
    ["reject", 503, "5"],
  ] as const)(
    "GAT-04 answers an outage set to %s with %i",
    async (whenUnavailable, status, wait) => {
      const codes: ErrorCode[] = [];
      const server = await gatedServer({
        lookup: doubleLookup({ [IP]: down }),
        frameworkIp: IP,
        whenUnavailable,
        onError: ({ code }) => codes.push(code),
      });
      const answer = await signUp(server.port, {});
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, wait]);
      expect(codes).toEqual(["NETWORK"]);
      expect(server.decisions).toMatchObject([{ because: "unavailable" }]);
    },
  );

  it.each<[unknown, string[]]>([
    [{}, [IP]],
    [{ email: "" }, [IP]],
    [undefined, [IP]],
    [[EMAIL], [IP]],
    ["text", [IP]],
    [null, [IP]],
    [{ email: EMAIL }, [IP, EMAIL]],
  ])("GAT-07 looks for an email in the body %j", async (body, asked) => {
    const lookup = doubleLookup();
    const { port } = await gatedServer({ lookup, frameworkIp: IP });
    expect((await signUp(port, body)).status).toBe(200);
    expect(lookup.asked).toEqual(asked);
  });

  it("R25 takes no inherited member for the email", async () => {
    const lookup = doubleLookup({ [EMAIL]: 95 });
    const body = Object.create({ email: EMAIL }) as object;
    const gate = createRequestGate<Args>({ lookup, ip: () => undefined });
    const request = { headers: {} } as IncomingMessage;
    const gated = { args: [request], request, body, attach() {} } as unknown as GatedRequest<Args>;
    expect(gate.guard(gated)).toBe(true);
    expect(lookup.asked).toEqual([]);
  });

  it.each<[unknown]>([
    [[EMAIL]],
    [{ x: EMAIL }],
    [7],
    [false],
    [{ state: "scored", assessment: { risk_score: 0 }, source: "live" }],
    [{ state: "skipped", why: "absent" }],
  ])("GAT-08 refuses the email %j", async (email) => {
    const lookup = doubleLookup();
    const server = await gatedServer({ lookup, frameworkIp: IP });
    const { status, text } = await signUp(server.port, { email });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: "IDENTIFIER_INVALID" });
    expect([server.passed, lookup.asked]).toEqual([0, []]);
    const observing = await gatedServer({ lookup, frameworkIp: IP, mode: "observe" });
    expect((await signUp(observing.port, { email })).status).toBe(200);
    expect(observing.decisions).toMatchObject([{ email: { why: "unusable" }, enforced: false }]);
  });

  it("R25 takes null for an email that is present and no string", async () => {
    const { port } = await gatedServer({ lookup: doubleLookup(), frameworkIp: IP });
    expect((await signUp(port, { email: null })).status).toBe(400);
  });

  it.each([
    ["null", () => null],
    ["a promise of null", async () => null],
  ])("takes %s of a selector for no email", async (_, email) => {
    const server = await gatedServer({ lookup: doubleLookup(), frameworkIp: IP, email });
    expect((await signUp(server.port, { email: "a@x.y" })).status).toBe(200);
    expect(server.decisions).toMatchObject([{ email: { state: "skipped", why: "absent" } }]);
  });

  it("GAT-09 believes no header where nobody is trusted", async () => {
    const lookup = doubleLookup();
    const { port } = await gatedServer({ lookup, lookupPrivateIps: true });
    const headers = { "x-forwarded-for": IP, "x-real-ip": IP, "cf-connecting-ip": IP };
    await signUp(port, {}, headers);
    expect(lookup.asked).toEqual(["127.0.0.1"]);
  });

  it.each([
    ["a stranger's entry", "9.9.9.9, 8.8.8.8", ["8.8.8.8"], undefined],
    ["an entry that is none", "9.9.9.9, unknown", [], "unusable"],
    ["no header", undefined, [], "not_public"],
  ])("GAT-11 GAT-14 walks past trusted proxies to %s", async (_, header, asked, why) => {
    const lookup = doubleLookup();
    const trustedProxies = ["127.0.0.0/8"];
    const { port, decisions } = await gatedServer({
      lookup,
      trustedProxies,
      frameworkIp: "1.1.1.1",
    });
    await signUp(port, {}, header === undefined ? {} : { "x-forwarded-for": header });
    expect(lookup.asked).toEqual(asked);
    if (why !== undefined) expect(decisions).toMatchObject([{ ip: { state: "skipped", why } }]);
  });

  const failures: readonly (readonly [string, () => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("mine");
      },
    ],
    ["rejects", () => Promise.reject(new Error("mine"))],
  ];

  it.each(failures)("GAT-15 takes a selector that %s for a failed lookup", async (_, fail) => {
    for (const selector of ["ip", "email"] as const) {
      const codes: ErrorCode[] = [];
      const server = await gatedServer({
        lookup: doubleLookup(),
        [selector]: fail,
        whenUnavailable: "reject",
        onError: ({ code }) => codes.push(code),
      });
      expect((await signUp(server.port, {})).status).toBe(503);
      expect(server.decisions).toMatchObject([{ [selector]: { fault: "unreadable" } }]);
      expect(codes).toEqual(["HOOK_FAILED"]);
    }
  });

  it.each(["email", "ip", "skip"] as const)(
    "GAT-15 waits no longer than the budget for a hook `%s` that never settles",
    async (name) => {
      const errors: RiskGateError[] = [];
      const lookup = doubleLookup({ [EMAIL]: 95 });
      const { port, decisions } = await gatedServer({
        lookup,
        frameworkIp: IP,
        budgetMs: 50,
        onError: (error) => errors.push(error),
        [name]: () => new Promise(() => {}),
      });
      const { status } = await signUp(port, { email: EMAIL });
      // What is left of the budget is enough for an answer at once, or not: never for a long wait.
      expect([200, 403]).toContain(status);
      if (name !== "skip") {
        expect(decisions[0]?.[name]).toEqual({ state: "failed", fault: "unreadable" });
      }
      const hook = errors.find(({ code }) => code === "HOOK_FAILED");
      expect(hook).toMatchObject({
        message: `\`${name}\` failed`,
        cause: { message: `\`${name}\` did not settle within \`budgetMs\`` },
      });
    },
  );

  it("GAT-15 takes the time of hooks from the budget of the lookups", async () => {
    const wait = fakeClock();
    const later = async () => new Promise((resolve) => void setTimeout(resolve, 400));
    const decisions: Decision[] = [];
    const gate = createRequestGate<Args>({
      lookup: doubleLookup({ [IP]: untilAborted }),
      budgetMs: 1000,
      skip: later,
      email: later,
      onError() {},
      onDecision: (decision) => decisions.push(decision),
    });
    const response = new EventEmitter();
    const gated = { args: [{}, response], request: {}, response, ip: IP, body: {} };
    const verbs = { attach() {}, unsafeTrust: () => undefined };
    const guarded = gate.guard({ ...gated, ...verbs } as unknown as GatedRequest<Args>);
    // What is left is a difference of fractions, of which a timer drops what is behind the point.
    for (const ms of [400, 400, 190]) await wait(ms);
    expect(decisions).toEqual([]);
    await wait(10);
    expect(await guarded).toBe(true);
    expect(decisions[0]?.ip).toEqual({ state: "failed", fault: "timeout" });
  });

  it("takes selectors that give values or promises", async () => {
    const lookup = doubleLookup({ [EMAIL]: 95 });
    const server = await gatedServer({
      lookup,
      ip: async ({ headers }) => headers["x-client"],
      email: () => EMAIL,
    });
    expect((await signUp(server.port, {}, { "x-client": IP })).status).toBe(403);
    expect(lookup.asked).toEqual([IP, EMAIL]);
  });

  it("GAT-16 ends the lookups of a client that has gone", async () => {
    const signals: AbortSignal[] = [];
    const lookup = doubleLookup({
      [IP]: (signal) => {
        if (signal) signals.push(signal);
        return untilAborted(signal);
      },
    });
    const codes: ErrorCode[] = [];
    const unhandled = unhandledRejections();
    const server = await gatedServer({
      lookup,
      frameworkIp: IP,
      budgetMs: 600_000,
      onError: ({ code }) => codes.push(code),
    });
    const { socket } = await openRaw(server.port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => signals.length === 1);
    socket.destroy();
    await until(() => signals[0]?.aborted ?? false);
    expect(await unhandled()).toBe(0);
    expect([server.passed, server.decisions, codes]).toEqual([0, [], []]);
  });

  it("GAT-17 asks once where two gates are mounted", async () => {
    const lookup = doubleLookup();
    const server = await gatedServer({ lookup, frameworkIp: IP }, 2);
    expect((await signUp(server.port, { email: EMAIL })).status).toBe(200);
    expect(lookup.asked).toEqual([IP, EMAIL]);
    expect([server.passed, server.decisions.length]).toEqual([1, 2]);
  });

  it("GAT-18 lets each request through exactly once", async () => {
    const lookup = doubleLookup({ "bad@x.y": 95, "slow@x.y": async () => ({ risk_score: 0 }) });
    const server = await gatedServer({ lookup, frameworkIp: IP });
    const emails = ["bad@x.y", "slow@x.y", EMAIL, undefined];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => signUp(server.port, { email: emails[n % 4] })),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(150);
    expect(new Set(passed.map(({ text }) => text))).toEqual(new Set(["passed"]));
    expect(server.passed).toBe(150);
  });

  it.each(failures)("GAT-23 refuses by itself when onReject %s", async (_, onReject) => {
    const codes: ErrorCode[] = [];
    const server = await gatedServer({
      lookup: doubleLookup({ [IP]: 95 }),
      frameworkIp: IP,
      onReject,
      onError: ({ code }) => codes.push(code),
    });
    const { status, text } = await signUp(server.port, {});
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: "RISK_REJECTED" }]);
    expect(codes).toEqual(["HOOK_FAILED"]);
  });

  it("GAT-23 refuses by itself when onReject never answers", async () => {
    const server = await gatedServer({
      lookup: doubleLookup({ [IP]: 95 }),
      frameworkIp: IP,
      budgetMs: 50,
      onReject: () => new Promise(() => {}),
    });
    expect((await signUp(server.port, {})).status).toBe(403);
  });

  it.each<[string, NonNullable<RequestGateOptions<Args>["onReject"]>]>([
    ["at once", (_, __, response) => response.writeHead(418).end("mine")],
    ["later", (_, __, response) => void setImmediate(() => response.writeHead(418).end("mine"))],
    [
      "and fails then",
      (_, __, response) => {
        response.writeHead(418).end("mine");
        throw new Error("late");
      },
    ],
  ])("GAT-23 leaves alone the refusal that onReject writes %s", async (_, onReject) => {
    const lookup = doubleLookup({ [IP]: 95 });
    const server = await gatedServer({ lookup, frameworkIp: IP, onReject, onError() {} });
    expect(await signUp(server.port, {})).toMatchObject({ status: 418, text: "mine" });
    expect(server.passed).toBe(0);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("broken");
      },
    ],
  ])("GAT-23 cuts off an answer that onReject has begun when it %s", async (_, fail) => {
    const { port } = await gatedServer({
      lookup: doubleLookup({ [EMAIL]: 95 }),
      onError() {},
      onReject(_decision, _request, response) {
        response.writeHead(403).write("not ");
        return fail();
      },
    });
    await expect(signUp(port, { email: EMAIL })).rejects.toBeInstanceOf(TypeError);
  });

  it.each(failures)("R23 goes on when onDecision %s", async (_, onDecision) => {
    const unhandled = unhandledRejections();
    const codes: ErrorCode[] = [];
    const server = await gatedServer({
      lookup: doubleLookup({ [IP]: 95 }),
      frameworkIp: IP,
      onDecision,
      onError: ({ code }) => codes.push(code),
    });
    expect((await signUp(server.port, {})).status).toBe(403);
    expect(await unhandled()).toBe(0);
    expect(codes).toEqual(["HOOK_FAILED"]);
  });

  it("refuses nothing in observe mode", async () => {
    const outcomes: unknown[] = [];
    const server = await gatedServer({
      lookup: doubleLookup({ [IP]: 95 }),
      frameworkIp: IP,
      mode: "observe",
      onDecision: ({ outcome, enforced }) => outcomes.push([outcome, enforced]),
      onReject: () => expect.unreachable(),
    });
    expect((await signUp(server.port, {})).status).toBe(200);
    expect(outcomes).toEqual([["reject", false]]);
  });

  it.each<[string, () => unknown, boolean]>([
    ["true", () => true, true],
    ["a promise of true", async () => true, true],
    ["false", () => false, false],
    ["a promise of false", async () => false, false],
    ["nothing", () => undefined, false],
    [
      "an error",
      () => {
        throw new Error("mine");
      },
      false,
    ],
    ["a rejection", () => Promise.reject(new Error("mine")), false],
  ])("makes no decision where skip gives %s: %#", async (_, skip, isSkipped) => {
    const lookup = doubleLookup({ [IP]: 95 });
    const server = await gatedServer({ lookup, frameworkIp: IP, skip, onError() {} });
    expect((await signUp(server.port, {})).status).toBe(isSkipped ? 200 : 403);
    expect(lookup.asked).toEqual(isSkipped ? [] : [IP]);
  });

  it("peeks, asks and reads the lists once for a request that is not in memory", async () => {
    const { lookup, calls } = countingLookup();
    const blockList = countingLists(calls);
    const server = await gatedServer({ lookup, frameworkIp: IP, blockList });
    expect((await signUp(server.port, { email: EMAIL })).status).toBe(200);
    expect(calls.sort()).toEqual([
      "blocksEmail",
      "blocksIp",
      "lookupEmail",
      "lookupIp",
      "peekEmail",
      "peekIp",
    ]);
  });

  it("decides without a promise where everything is in memory", () => {
    const request = { headers: {}, readableDidRead: true } as IncomingMessage;
    const lookup = peekingLookup({ [IP]: 10, [EMAIL]: 20, "bad@x.y": 95 });
    const gate = createRequestGate<Args>({ lookup });
    const refused: unknown[] = [];
    const guard = (email: string): unknown => {
      const gated = {
        request,
        ip: IP,
        body: { email },
        unsafeTrust: () => undefined,
        attach() {},
        sendReply: (reply: unknown) => refused.push(reply),
      } as unknown as GatedRequest<Args>;
      return gate.guard(gated);
    };
    expect([guard(EMAIL), guard("bad@x.y")]).toEqual([true, false]);
    expect(refused).toMatchObject([{ status: 403 }]);
  });

  it("R24 warns once of a set-up in which it judges the wrong thing", async () => {
    const warnings = collectWarnings();
    const lookup = doubleLookup();
    const unsafe = await gatedServer({ lookup, unsafeTrust: "everybody is trusted" });
    for (let n = 0; n < 3; n++) await signUp(unsafe.port, {});
    expect(await warnings()).toEqual(["RISKGATE_UNSAFE_TRUST"]);
    const own = await gatedServer({ lookup, unsafeTrust: "other", trustedProxies: [] });
    await signUp(own.port, {});
    const unparsed = await gatedServer({ lookup, parse: false });
    for (let n = 0; n < 2; n++) await signUp(unparsed.port, { email: EMAIL });
    expect(await warnings()).toEqual(["RISKGATE_UNSAFE_TRUST", "RISKGATE_BODY_NOT_PARSED"]);
  });
});
