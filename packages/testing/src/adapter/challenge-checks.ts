import { deepEqual, equal, match, notEqual, rejects } from "node:assert/strict";
import type { Decision, RiskGateError } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { pause } from "../base/process-watch.js";
import { rawRequest } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, GatePlanOptions } from "./adapter-harness.js";
import {
  answerWith,
  BAD,
  challengeBody,
  challenged,
  freshToken,
  GOOD,
  ODD,
  tokenIn,
} from "./challenged.js";
import { CHALLENGE_SECRET, codeOf, fixedBody, JSON_TYPE } from "./known.js";
import { SIGN_UP, signUp } from "./sign-up.js";

export const challengeChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck("CHL-01", "challenges strictly above `challengeAbove`", async ({ serve }) => {
    const lookup = createFakeLookup();
    const port = await serve(challenged({ lookup }));
    const codes: unknown[] = [];
    for (const score of [50, 50.5, 80, 80.5]) {
      lookup.set(ODD, { risk_score: score });
      const answer = await answerWith(port);
      codes.push(answer.status === 200 ? "passed" : codeOf(answer));
    }
    deepEqual(codes, ["passed", "CHALLENGE_REQUIRED", "CHALLENGE_REQUIRED", "RISK_REJECTED"]);
  }),
  adapterCheck("CHL-01", "answers with a token that nobody may store", async ({ serve }) => {
    const port = await serve(challenged());
    const answer = await answerWith(port);
    equal(answer.status, 403);
    equal(answer.header("content-type"), "application/problem+json; charset=utf-8");
    equal(answer.header("cache-control"), "no-store");
    const token = tokenIn(answer);
    match(token, /^[\w.-]{50,100}$/);
    equal(fixedBody(answer), challengeBody(token));
    notEqual(await freshToken(port), token);
  }),
  adapterCheck("CHL-02", "passes once the answer is confirmed", async ({ serve }) => {
    const decisions: Decision[] = [];
    const bodies: unknown[] = [];
    const verifyChallenge = (body: unknown): boolean => bodies.push(body) > 0;
    const port = await serve(challenged({ verifyChallenge }, decisions));
    const answer = await answerWith(port, await freshToken(port));
    equal(answer.body, '{"passed":true}');
    const token = await freshToken(port);
    const form = `email=${encodeURIComponent(ODD)}&challengeToken=${token}`;
    const headers = [
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["X-Forwarded-For", "8.8.8.8"],
    ] as const;
    equal((await rawRequest(port, { path: SIGN_UP, headers, body: form })).status, 200);
    deepEqual({ ...(bodies[0] as object) }, { email: ODD });
    deepEqual({ ...(bodies[1] as object) }, { email: ODD, challengeToken: token });
    deepEqual(
      decisions.map(({ outcome, because, score, enforced }) => [outcome, because, score, enforced]),
      Array.from({ length: 2 }, () => ["allow", "challenge_passed", 60, true]),
    );
  }),
  adapterCheck(
    "CHL-03",
    "accepts each token once, however many arrive at once",
    async ({ serve }) => {
      let asked = 0;
      const verifyChallenge = async (): Promise<boolean> => ++asked > 0;
      const port = await serve(challenged({ verifyChallenge }));
      const token = await freshToken(port);
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => answerWith(port, token)),
      );
      equal(answers.filter(({ status }) => status === 200).length, 1);
      equal((await answerWith(port, token)).status, 403);
      equal(asked, 1);
    },
  ),
  adapterCheck("CHL-04", "accepts a token only for its own request", async ({ serve }) => {
    let asked = 0;
    const { gates } = challenged({ verifyChallenge: () => ++asked > 0 });
    const login = { ...gates[0], path: "/login" };
    const port = await serve({ gates: [gates[0], login] });
    const other = await answerWith(port, await freshToken(port), { email: "other@shop.example" });
    equal(other.status, 403, "another email");
    const moved = await answerWith(port, await freshToken(port), { ip: "9.9.9.9" });
    equal(moved.status, 403, "another address");
    const send = async (path: string, token: string): Promise<number> => {
      const headers = [
        JSON_TYPE,
        ["X-Forwarded-For", "8.8.8.8"],
        ["X-Challenge-Token", token],
      ] as const;
      const body = JSON.stringify({ email: ODD });
      return (await rawRequest(port, { path, headers, body })).status;
    };
    equal(await send("/login", await freshToken(port)), 403, "another route");
    equal(asked, 0);
    equal(await send(`${SIGN_UP}?from=home`, await freshToken(port)), 200, "another query");
  }),
  adapterCheck("CHL-05", "rejects a token that it did not issue", async ({ serve }) => {
    let asked = 0;
    const verifyChallenge = (): boolean => ++asked > 0;
    const port = await serve(challenged({ verifyChallenge }));
    const token = await freshToken(port);
    const secrets = CHALLENGE_SECRET.toUpperCase();
    const elsewhere = await serve(challenged({ challenge: { secrets } }));
    const short = await serve(challenged({ challenge: { secrets: CHALLENGE_SECRET, ttlMs: 1 } }));
    const expired = await freshToken(short);
    await pause(5);
    const forged = [
      await freshToken(elsewhere),
      expired,
      token.slice(0, -1),
      `${token}A`,
      token.replace(/.$/, (last) => (last === "A" ? "E" : "A")),
      "",
      "x".repeat(4000),
      "a.b.c.d.e",
    ];
    for (const one of forged) {
      const answer = await answerWith(port, one);
      equal(codeOf(answer), "CHALLENGE_REQUIRED", one);
    }
    for (const odd of [[token], { token }, 7, null]) {
      const body = JSON.stringify({ email: ODD, challengeToken: odd });
      const headers = [JSON_TYPE, ["X-Forwarded-For", "8.8.8.8"]] as const;
      equal((await rawRequest(port, { path: SIGN_UP, headers, body })).status, 403);
    }
    equal(asked, 0);
    equal((await answerWith(port, token)).status, 200);
  }),
  adapterCheck("CHL-05", "accepts tokens of an earlier secret", async ({ serve }) => {
    const old = await serve(challenged());
    const secrets = [CHALLENGE_SECRET.toUpperCase(), CHALLENGE_SECRET];
    const port = await serve(challenged({ challenge: { secrets } }));
    equal((await answerWith(port, await freshToken(old))).status, 200);
    equal((await answerWith(old, await freshToken(port))).status, 403);
  }),
  adapterCheck("CHL-08", "passes nothing that is refused", async ({ serve }) => {
    const lookup = createFakeLookup({ [ODD]: { risk_score: 60 } });
    const verifyChallenge = (): boolean => true;
    const port = await serve(challenged({ lookup, verifyChallenge }));
    const token = await freshToken(port);
    lookup.set(ODD, { risk_score: 95 });
    equal(codeOf(await answerWith(port, token)), "RISK_REJECTED");
    const denying = await serve(challenged({ deny: [ODD] }));
    equal(codeOf(await answerWith(denying, token)), "RISK_REJECTED");
  }),
  adapterCheck("CHL-08", "challenges nothing in observe mode", async ({ serve }) => {
    const decisions: Decision[] = [];
    const lookup = createFakeLookup({ [ODD]: { risk_score: 60 }, [BAD]: { risk_score: 95 } });
    const port = await serve(challenged({ lookup, mode: "observe" }, decisions));
    for (const email of [GOOD, ODD, BAD]) equal((await signUp(port, { email })).status, 200);
    deepEqual(
      decisions.map(({ outcome, enforced }) => [outcome, enforced]),
      [
        ["allow", false],
        ["challenge", false],
        ["reject", false],
      ],
    );
  }),
  ...(
    [
      ["whenUnavailable", { whenUnavailable: "challenge" }],
      ["decide", { decide: () => "challenge" }],
    ] as const satisfies readonly (readonly [string, Partial<GatePlanOptions>])[]
  ).map(([name, options]) =>
    adapterCheck("CHL-10", `challenges if \`${name}\` decides so`, async ({ serve }) => {
      const lookup = createFakeLookup({}, { otherwise: { fault: "network" } });
      const port = await serve(challenged({ lookup, ...options }));
      const answer = await answerWith(port);
      equal(codeOf(answer), "CHALLENGE_REQUIRED");
      equal((await answerWith(port, tokenIn(answer))).status, 200);
    }),
  ),
  adapterCheck("CHL-10", "refuses a challenge without an answer at set-up", async ({ serve }) => {
    for (const name of ["challenge", "verifyChallenge"] as const) {
      const plan = challenged();
      const { [name]: _left, ...options } = plan.gates[0].options;
      const incomplete = { ...plan.gates[0], options: options as GatePlanOptions };
      await rejects(serve({ gates: [incomplete] }), { code: "CONFIG_INVALID" });
    }
  }),
  adapterCheck("CHL-10", "rejects if only `decide` challenges", async ({ serve }) => {
    const errors: RiskGateError[] = [];
    const lookup = createFakeLookup();
    const { gates } = challenged();
    const options: GatePlanOptions = {
      lookup,
      decide: () => "challenge",
      onError: (error) => errors.push(error),
    };
    const port = await serve({ gates: [{ ...gates[0], options }] });
    equal(codeOf(await answerWith(port)), "RISK_REJECTED");
    deepEqual(
      errors.map(({ code }) => code),
      ["HOOK_FAILED"],
    );
  }),
  adapterCheck("CHL-11", "asks once if two gates are mounted", async ({ serve }) => {
    let asked = 0;
    const { gates } = challenged({ verifyChallenge: () => ++asked > 0 });
    const port = await serve({ gates: [{ ...gates[0], twice: true }] });
    const token = await freshToken(port);
    equal((await answerWith(port, token)).status, 200);
    equal((await answerWith(port, token)).status, 403);
    equal(asked, 1);
  }),
];
