import { deepEqual, equal, ok } from "node:assert/strict";
import type { Decision, RiskGateError } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { pause } from "../base/process-watch.js";
import type { RawAnswer } from "../http/raw-answer.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, GatePlanOptions } from "./adapter-harness.js";
import { fixedBody, JSON_TYPE, problemBody } from "./known.js";
import { gated, SIGN_UP, signUp } from "./sign-up.js";

const REFUSED = problemBody(403, "RISK_REJECTED", "The request was refused");
const INVALID = problemBody(400, "IDENTIFIER_INVALID", "The email address must be a string");
const BUDGET_MS = 100;
const fail = (): never => {
  throw new Error("hook of the application failed");
};
const failLater = async (): Promise<never> => {
  await pause(1);
  return fail();
};

type RejectHook = NonNullable<GatePlanOptions["onReject"]>;

function rejectCheck(
  title: string,
  onReject: RejectHook,
  expect: {
    readonly status: number;
    readonly body: string;
    readonly errors?: number;
    readonly atDeadline?: boolean;
    /** Some frameworks throw on a late response, others ignore it. */
    readonly mayThrow?: boolean;
  },
): ContractCheck<AdapterHarness> {
  return adapterCheck("GAT-23", title, async ({ serve, said }) => {
    const errors: RiskGateError[] = [];
    const decisions: Decision[] = [];
    const options: GatePlanOptions = {
      lookup: createFakeLookup({}, { otherwise: { risk_score: 95 } }),
      // A refusal that waited for the long budget would arrive after the check ends.
      budgetMs: expect.atDeadline ? BUDGET_MS : 60_000,
      onReject,
      onError: (error) => errors.push(error),
    };
    const port = await serve(gated(options, decisions));
    const connection = await openRawConnection(port);
    const body = '{"email":"bad@shop.example"}';
    const startedMs = performance.now();
    connection.write(rawRequestBytes({ path: SIGN_UP, headers: [JSON_TYPE], body }));
    const answer: RawAnswer = await connection.answer();
    const tookMs = performance.now() - startedMs;
    // Waits so that a late response of a hook would show.
    await pause(expect.atDeadline ? 2 * BUDGET_MS : 30);
    equal(connection.rest(), "", "one answer and nothing after it");
    connection.destroy();
    await connection.closed;
    equal(answer.status, expect.status);
    equal(fixedBody(answer), expect.body);
    const codes = errors.map(({ code }) => code);
    if (expect.mayThrow) ok(codes.length <= 1);
    else
      deepEqual(
        codes,
        Array.from({ length: expect.errors ?? 0 }, () => "HOOK_FAILED"),
      );
    equal(decisions.length, 0, "the handler is not called");
    if (expect.atDeadline) ok(tookMs >= BUDGET_MS - 5, `took ${tookMs} ms`);
    ok(!`${answer.body}${said().join("")}`.includes("hook of the application"));
  });
}

export const hookChecks: readonly ContractCheck<AdapterHarness>[] = [
  ...(["email", "ip"] as const).flatMap((name) =>
    [fail, failLater].map((selector) =>
      adapterCheck(
        "GAT-15",
        `treats a selector \`${name}\` that ${selector === fail ? "throws" : "rejects"} as a failed lookup`,
        async ({ serve, said }) => {
          for (const whenUnavailable of ["allow", "reject"] as const) {
            const errors: RiskGateError[] = [];
            const decisions: Decision[] = [];
            const lookup = createFakeLookup();
            const onError = (error: RiskGateError): void => void errors.push(error);
            const options = { lookup, whenUnavailable, onError, [name]: selector };
            const port = await serve(gated(options, decisions));
            const answer = await signUp(port);
            equal(answer.status, whenUnavailable === "allow" ? 200 : 503);
            if (whenUnavailable === "allow") {
              deepEqual(decisions[0]?.[name], { state: "failed", fault: "unreadable" });
            }
            deepEqual(
              errors.map(({ code }) => code),
              ["HOOK_FAILED"],
            );
            ok(!`${answer.body}${said().join("")}`.includes("hook of the application"));
            deepEqual(lookup.calls, []);
          }
        },
      ),
    ),
  ),
  ...(["email", "ip", "skip"] as const).map((name) =>
    adapterCheck(
      "GAT-15",
      `waits no longer than the budget for a hook \`${name}\` that never settles`,
      async ({ serve }) => {
        const errors: RiskGateError[] = [];
        const onError = (error: RiskGateError): void => void errors.push(error);
        const hook = { [name]: async () => new Promise(() => {}) };
        const options = { lookup: createFakeLookup(), budgetMs: BUDGET_MS, onError, ...hook };
        equal((await signUp(await serve(gated(options)))).status, 200);
        equal(errors.filter(({ code }) => code === "HOOK_FAILED").length, 1);
      },
    ),
  ),
  rejectCheck("refuses by itself if onReject throws", fail, {
    status: 403,
    body: REFUSED,
    errors: 1,
  }),
  rejectCheck("refuses by itself if onReject rejects", failLater, {
    status: 403,
    body: REFUSED,
    errors: 1,
  }),
  rejectCheck("keeps the answer of onReject", (_, answer) => answer(451, "no"), {
    status: 451,
    body: "no",
  }),
  rejectCheck(
    "keeps an answer that onReject writes after a while",
    async (_, answer) => {
      await pause(20);
      answer(451, "no");
    },
    { status: 451, body: "no" },
  ),
  rejectCheck(
    "keeps the answer of onReject if it fails afterwards",
    (_, answer) => {
      answer(451, "no");
      fail();
    },
    { status: 451, body: "no", errors: 1 },
  ),
  rejectCheck("refuses in time if onReject never ends", async () => new Promise(() => {}), {
    status: 403,
    body: REFUSED,
    atDeadline: true,
  }),
  rejectCheck("refuses in time if onReject answers nothing", () => undefined, {
    status: 403,
    body: REFUSED,
    atDeadline: true,
  }),
  rejectCheck(
    "answers once if onReject answers too late",
    async (_, answer) => {
      await pause(BUDGET_MS + 50);
      answer(451, "no");
    },
    { status: 403, body: REFUSED, atDeadline: true, mayThrow: true },
  ),
  adapterCheck("GAT-23", "lets onReject finish the answer that it has begun", async ({ serve }) => {
    for (const end of ["before it resolves", "after it resolved", "after the deadline"] as const) {
      const pauseMs = end === "after the deadline" ? 2 * BUDGET_MS : 20;
      const onReject: RejectHook = async (_decision, _answer, response) => {
        response.writeHead(451);
        response.write("not ");
        const ended = pause(pauseMs).then(() => response.end("welcome"));
        if (end !== "after it resolved") await ended;
      };
      const lookup = createFakeLookup({}, { otherwise: { risk_score: 95 } });
      const port = await serve(gated({ lookup, onReject, budgetMs: BUDGET_MS }));
      const answer = await signUp(port, { email: "bad@shop.example" });
      equal(answer.status, 451, end);
      equal(answer.body, "not welcome", end);
    }
  }),
  adapterCheck("GAT-23", "passes every refusal to onReject with its reason", async ({ serve }) => {
    const lookup = createFakeLookup({
      "bad@shop.example": { risk_score: 95 },
      "down@shop.example": { fault: "network" },
    });
    const seen: unknown[] = [];
    const onDecision = ({ because }: Decision): void => void seen.push(because);
    const onReject: RejectHook = (decision, answer) => {
      const { outcome, because, email } = decision;
      answer(451, `${outcome} ${because} ${email.state === "skipped" ? email.why : email.state}`);
    };
    const outage = { whenUnavailable: "reject", onError() {} } as const;
    const port = await serve(gated({ lookup, onReject, onDecision, ...outage }));
    const answers = [];
    for (const email of ["bad@shop.example", "down@shop.example", ["bad@shop.example"], 5]) {
      const { status, body } = await signUp(port, { email });
      answers.push([status, body]);
    }
    deepEqual(answers, [
      [451, "reject score scored"],
      [451, "reject unavailable failed"],
      [451, "reject identifier_invalid unusable"],
      [451, "reject identifier_invalid unusable"],
    ]);
    deepEqual(seen, ["score", "unavailable"]);
  }),
  adapterCheck(
    "GAT-23",
    "answers 400 if onReject fails for an invalid email",
    async ({ serve }) => {
      const hooks = [
        [fail, ["HOOK_FAILED"]],
        [failLater, ["HOOK_FAILED"]],
        [() => undefined, []],
      ] as const;
      for (const [onReject, codes] of hooks) {
        const errors: string[] = [];
        const onError = ({ code }: RiskGateError): void => void errors.push(code);
        const options = { lookup: createFakeLookup(), onReject, onError, budgetMs: BUDGET_MS };
        const { status, body } = await signUp(await serve(gated(options)), { email: ["a@x.y"] });
        equal(status, 400);
        equal(body, INVALID);
        deepEqual(errors, codes);
      }
    },
  ),
  adapterCheck(
    "GAT-23",
    "cuts off an answer that onReject has begun and fails",
    async ({ serve }) => {
      for (const failing of [fail, failLater]) {
        const errors: RiskGateError[] = [];
        const onReject: RejectHook = (_decision, _answer, response) => {
          response.writeHead(451);
          response.write("not ");
          return failing();
        };
        const lookup = createFakeLookup({}, { otherwise: { risk_score: 95 } });
        const onError = (error: RiskGateError): void => void errors.push(error);
        const port = await serve(gated({ lookup, onReject, onError }));
        const connection = await openRawConnection(port);
        const body = '{"email":"bad@shop.example"}';
        connection.write(rawRequestBytes({ path: SIGN_UP, headers: [JSON_TYPE], body }));
        await connection.closed;
        ok(!connection.rest().includes("RISK_REJECTED"), "nothing is appended");
        ok(!connection.rest().endsWith("0\r\n\r\n"), "the answer does not look complete");
        deepEqual(
          errors.map(({ code }) => code),
          ["HOOK_FAILED"],
        );
      }
    },
  ),
  adapterCheck("R23", "keeps its decision if onDecision fails", async ({ serve }) => {
    for (const onDecision of [fail, failLater]) {
      const errors: RiskGateError[] = [];
      const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
      const onError = (error: RiskGateError): void => void errors.push(error);
      const port = await serve(gated({ lookup, onDecision, onError }));
      equal((await signUp(port, { email: "bad@shop.example" })).status, 403);
      equal((await signUp(port, { email: "good@shop.example" })).status, 200);
      await pause(10);
      deepEqual(
        errors.map(({ code }) => code),
        ["HOOK_FAILED", "HOOK_FAILED"],
      );
    }
  }),
  adapterCheck("R23", "enforces nothing in observe mode", async ({ serve }) => {
    const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
    const decisions: Decision[] = [];
    const port = await serve(gated({ lookup, mode: "observe" }, decisions));
    for (const email of ["bad@shop.example", ["bad@shop.example"]]) {
      equal((await signUp(port, { email })).status, 200);
    }
    deepEqual(
      decisions.map(({ outcome, enforced }) => [outcome, enforced]),
      [
        ["reject", false],
        ["flag", false],
      ],
    );
  }),
];
