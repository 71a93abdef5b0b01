import { deepEqual, equal, ok } from "node:assert/strict";
import type { Decision } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { rawRequest } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { CHALLENGE_SECRET, decisionIdIn, fixedBody, JSON_TYPE, problemBody } from "./known.js";
import { BELIEVE_PEER, gated, SIGN_UP, signUp } from "./sign-up.js";

const REFUSED = problemBody(403, "RISK_REJECTED", "The request was refused");
const INVALID = problemBody(400, "IDENTIFIER_INVALID", "The email address must be a string");

const SCORES: readonly (readonly [score: number, passes: boolean])[] = [
  [0, true],
  [80, true],
  [80.5, false],
  [81, false],
  [100, false],
];

export const scoreChecks: readonly ContractCheck<AdapterHarness>[] = [
  ...[false, true].map((inMemory) =>
    adapterCheck(
      "GAT-01",
      `rejects strictly above 80${inMemory ? " by cached scores" : ""}`,
      async ({ serve }) => {
        const lookup = createFakeLookup({}, { inMemory });
        const decisions: Decision[] = [];
        const port = await serve(gated({ lookup, ...BELIEVE_PEER }, decisions));
        for (const [score, passes] of SCORES) {
          for (const who of [{ email: "a@shop.example" }, { ip: "8.8.8.8" }]) {
            lookup.set(Object.values(who)[0]!, { risk_score: score });
            const answer = await signUp(port, who);
            lookup.set(Object.values(who)[0]!, {});
            equal(answer.status, passes ? 200 : 403, `${score}`);
            equal(fixedBody(answer), passes ? '{"passed":true}' : REFUSED);
          }
        }
        deepEqual(
          decisions.map(({ score }) => score),
          [0, 0, 80, 80],
        );
        equal(lookup.calls.length > 0, !inMemory);
      },
    ),
  ),
  adapterCheck("GAT-02", "decides by the higher of two scores", async ({ serve }) => {
    const lookup = createFakeLookup({
      "8.8.8.8": { risk_score: 10 },
      "9.9.9.9": { risk_score: 95 },
      "low@shop.example": { risk_score: 10 },
      "high@shop.example": { risk_score: 95 },
    });
    const decisions: Decision[] = [];
    const port = await serve(gated({ lookup, ...BELIEVE_PEER }, decisions));
    equal((await signUp(port, { ip: "8.8.8.8", email: "high@shop.example" })).status, 403);
    equal((await signUp(port, { ip: "9.9.9.9", email: "low@shop.example" })).status, 403);
    equal(decisions.length, 0);
    equal((await signUp(port, { ip: "8.8.8.8", email: "low@shop.example" })).status, 200);
    const [{ ip, email }] = decisions as [Decision];
    ok(ip.state === "scored" && ip.assessment.ip === "8.8.8.8");
    ok(email.state === "scored" && email.assessment.email === "low@shop.example");
    equal(decisions.length, 1);
  }),
  adapterCheck("GAT-02", "decides by flags in `outcomes`", async ({ serve }) => {
    const lookup = createFakeLookup({
      "bin@shop.example": { is_disposable: true },
      "relay@shop.example": { is_forwarding: true },
    });
    const decisions: Decision[] = [];
    const outcomes = { reject: ["disposable"], flag: ["forwarding"] } as const;
    const port = await serve(gated({ lookup, ...BELIEVE_PEER, outcomes }, decisions));
    const refused = await signUp(port, { email: "bin@shop.example" });
    equal(refused.status, 403);
    equal(fixedBody(refused), REFUSED);
    equal((await signUp(port, { email: "relay@shop.example" })).status, 200);
    equal((await signUp(port, { email: "ann@shop.example" })).status, 200);
    deepEqual(
      decisions.map(({ outcome, because, flag }) => [outcome, because, flag]),
      [
        ["flag", "flag", "forwarding"],
        ["allow", "score", undefined],
      ],
    );
  }),
  adapterCheck("GAT-03", "refuses without a reason", async ({ serve }) => {
    const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 97 } });
    const port = await serve(gated({ lookup }));
    const answer = await signUp(port, { email: "bad@shop.example" });
    equal(answer.status, 403);
    equal(fixedBody(answer), REFUSED);
    equal(answer.header("content-type"), "application/problem+json; charset=utf-8");
    ok(!JSON.stringify(answer.lines).includes("97"));
  }),
  adapterCheck("GAT-25", "names the decision in each refusal", async ({ serve }) => {
    const lookup = createFakeLookup({
      "odd@shop.example": { risk_score: 60 },
      "bad@shop.example": { risk_score: 95 },
      "down@shop.example": { fault: "network" },
    });
    const made: string[] = [];
    const passed: Decision[] = [];
    const options = {
      lookup,
      challengeAbove: 50,
      challenge: { secrets: CHALLENGE_SECRET },
      verifyChallenge: () => true,
      whenUnavailable: "reject",
      onDecision: ({ id }: Decision): void => void made.push(id),
      onError() {},
    } as const;
    const port = await serve(gated(options, passed));
    const emails = [
      "odd@shop.example",
      "bad@shop.example",
      "bad@shop.example",
      "down@shop.example",
    ];
    const answers = [];
    for (const email of emails) answers.push(await signUp(port, { email }));
    deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 503],
    );
    deepEqual(answers.map(decisionIdIn), made);
    equal((await signUp(port, { email: "good@shop.example" })).status, 200);
    equal(passed[0]?.id, made[4]);
    equal(new Set(made).size, 5);
    // No log contains this one.
    equal(decisionIdIn(await signUp(port, { email: 5 })), undefined);
  }),
  adapterCheck("GAT-07", "looks up no absent email address", async ({ serve }) => {
    const lookup = createFakeLookup();
    const decisions: Decision[] = [];
    const port = await serve(gated({ lookup, ...BELIEVE_PEER }, decisions));
    for (const email of [undefined, ""]) {
      equal((await signUp(port, { ip: "8.8.8.8", email })).status, 200);
    }
    const inherited = { path: SIGN_UP, headers: [["X-Forwarded-For", "8.8.8.8"]] } as const;
    equal((await rawRequest(port, inherited)).status, 200);
    deepEqual(
      lookup.calls.map(({ type }) => type),
      ["ip", "ip", "ip"],
    );
    for (const { email } of decisions) deepEqual(email, { state: "skipped", why: "absent" });
  }),
  adapterCheck("GAT-08", "refuses an email address that is not a string", async ({ serve }) => {
    const lookup = createFakeLookup();
    const decisions: Decision[] = [];
    const port = await serve(gated({ lookup }, decisions));
    for (const email of [["a@x.y"], [], { x: "a@x.y" }, {}, 5, 0, true, false, null]) {
      const answer = await signUp(port, { email });
      equal(answer.status, 400, JSON.stringify(email));
      equal(answer.body, INVALID);
    }
    for (const body of ["email=a&email=b", "email[]=a", "email[x]=a"]) {
      const headers = [["Content-Type", "application/x-www-form-urlencoded"]] as const;
      const answer = await rawRequest(port, { path: SIGN_UP, headers, body });
      equal(answer.status, 400, body);
      equal(answer.body, INVALID);
    }
    equal(decisions.length, 0);
    deepEqual(lookup.calls, []);
    const headers = [["Content-Type", "application/x-www-form-urlencoded"]] as const;
    const form = await rawRequest(port, { path: SIGN_UP, headers, body: "email=a%40x.y" });
    equal(form.status, 200);
    deepEqual(
      lookup.calls.map(({ value }) => value),
      ["a@x.y"],
    );
  }),
  adapterCheck("GAT-08", "finds the email by its path in the body", async ({ serve }) => {
    const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
    const options = { lookup, email: "user.email" };
    const port = await serve(gated(options));
    const send = async (body: unknown): Promise<number> =>
      (await rawRequest(port, { path: SIGN_UP, headers: [JSON_TYPE], body: JSON.stringify(body) }))
        .status;
    equal(await send({ user: { email: "bad@shop.example" } }), 403);
    equal(await send({ user: { email: "ada@shop.example" }, email: "bad@shop.example" }), 200);
    equal(await send({ user: { email: ["bad@shop.example"] } }), 400);
    for (const body of [{}, { user: null }, { user: "bad@shop.example" }]) {
      equal(await send(body), 200);
    }
  }),
  adapterCheck("GAT-17", "looks up once if it is mounted twice", async ({ serve }) => {
    const lookup = createFakeLookup();
    let handled = 0;
    const options = { lookup, budgetMs: 60_000, ...BELIEVE_PEER };
    const handler = (): void => void handled++;
    const port = await serve({ gates: [{ path: SIGN_UP, options, handler, twice: true }] });
    equal((await signUp(port, { ip: "8.8.8.8", email: "a@shop.example" })).status, 200);
    equal(handled, 1);
    deepEqual(lookup.calls.map(({ type }) => type).sort(), ["email", "ip"]);
  }),
  adapterCheck(
    "GAT-18",
    "calls the handler once for each request that passes",
    async (stage) => {
      const lookup = createFakeLookup({
        "bad@shop.example": { risk_score: 95 },
        "down@shop.example": { fault: "network" },
        "slow@shop.example": { delayMs: 5 },
      });
      const decisions: Decision[] = [];
      const options = { lookup, whenUnavailable: "reject", onError() {} } as const;
      const port = await stage.serve(gated(options, decisions));
      const emails = ["good", "bad", "down", "slow", 5];
      const answers = await Promise.all(
        Array.from({ length: 1000 }, async (_, index) => {
          const name = emails[index % emails.length];
          return signUp(port, { email: typeof name === "string" ? `${name}@shop.example` : name });
        }),
      );
      const counts: Record<number, number> = {};
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
      deepEqual(counts, { 200: 400, 400: 200, 403: 200, 503: 200 });
      equal(decisions.length, 400);
    },
    60_000,
  ),
];
