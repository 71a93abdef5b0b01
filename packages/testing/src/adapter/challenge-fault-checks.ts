import { deepEqual, equal, ok } from "node:assert/strict";
import type { Decision, RiskGateError, SingleUseStore } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { pause } from "../base/process-watch.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, GatePlanOptions } from "./adapter-harness.js";
import { answerWith, challenged, freshToken, ODD, tokenIn } from "./challenged.js";
import { CHALLENGE_SECRET, codeOf, JSON_TYPE } from "./known.js";
import { SIGN_UP } from "./sign-up.js";

const BUDGET_MS = 100;
const fail = (): never => {
  throw new Error("hook of the application failed");
};
const failLater = async (): Promise<never> => {
  await pause(1);
  return fail();
};
const never = async (): Promise<never> => new Promise(() => {});

type ChallengeHook = NonNullable<GatePlanOptions["onChallenge"]>;

const HOOKS: readonly (readonly [title: string, hook: () => unknown, codes: readonly string[]])[] =
  [
    ["throws", fail, ["HOOK_FAILED"]],
    ["rejects", failLater, ["HOOK_FAILED"]],
    ["never settles", never, ["HOOK_FAILED"]],
    ["confirms too late", async () => pause(3 * BUDGET_MS).then(() => true), ["HOOK_FAILED"]],
    ["is false", () => false, []],
    ['is "true"', async () => "true", ["HOOK_FAILED"]],
    ["is an object", () => ({ success: true }), ["HOOK_FAILED"]],
  ];

const STORES: readonly (readonly [title: string, flaw: object])[] = [
  ["throws", { use: fail }],
  ["rejects", { use: failLater }],
  ["never answers", { use: never }],
  ["answers nonsense", { use: () => ["new"] }],
];

const CHALLENGES: readonly (readonly [title: string, hook: ChallengeHook, status: number])[] = [
  ["throws", fail, 403],
  ["rejects", failLater, 403],
  ["never ends", never, 403],
  ["answers nothing", () => undefined, 403],
  ["answers", (_, { token }, answer) => answer(401, `{"challengeToken":"${token}"}`), 401],
  [
    "answers after a while",
    async (_, { token }, answer) => {
      await pause(20);
      answer(401, `{"challengeToken":"${token}"}`);
    },
    401,
  ],
  [
    "answers and fails afterwards",
    (_, { token }, answer) => {
      answer(401, `{"challengeToken":"${token}"}`);
      fail();
    },
    401,
  ],
];

/** Checks of hooks and stores of a challenge that fail, hang or return wrong values. */
export const challengeFaultChecks: readonly ContractCheck<AdapterHarness>[] = [
  ...HOOKS.map(([title, hook, codes]) =>
    adapterCheck("CHL-06", `passes nobody if verifyChallenge ${title}`, async (stage) => {
      const errors: RiskGateError[] = [];
      const decisions: Decision[] = [];
      const challenge = { secrets: CHALLENGE_SECRET, timeoutMs: BUDGET_MS };
      const verifyChallenge = hook as () => boolean;
      const onError = (error: RiskGateError): void => void errors.push(error);
      const plan = challenged({ challenge, verifyChallenge, onError }, decisions);
      const port = await stage.serve(plan);
      const token = await freshToken(port);
      const answer = await answerWith(port, token);
      equal(codeOf(answer), "CHALLENGE_REQUIRED");
      ok(tokenIn(answer) !== token, "there is a new token");
      equal(codeOf(await answerWith(port, token)), "CHALLENGE_REQUIRED");
      // Waits so that a late result would show.
      if (title.endsWith("late")) await pause(3 * BUDGET_MS);
      deepEqual(
        errors.map(({ code }) => code),
        codes,
      );
      equal(decisions.length, 0, "the handler is not called");
      ok(!`${answer.body}${stage.said().join("")}`.includes("hook of the application"));
    }),
  ),
  ...CHALLENGES.map(([title, onChallenge, status]) =>
    adapterCheck("CHL-07", `answers once if onChallenge ${title}`, async ({ serve }) => {
      const port = await serve(
        challenged({ onChallenge, budgetMs: status === 403 ? BUDGET_MS : 60_000 }),
      );
      const connection = await openRawConnection(port);
      const headers = [JSON_TYPE, ["X-Forwarded-For", "8.8.8.8"]] as const;
      const body = JSON.stringify({ email: ODD });
      connection.write(rawRequestBytes({ path: SIGN_UP, headers, body }));
      const answer = await connection.answer();
      await pause(30);
      equal(connection.rest(), "", "one answer and nothing after it");
      connection.destroy();
      await connection.closed;
      equal(answer.status, status);
      equal((await answerWith(port, tokenIn(answer))).status, 200, "its token is good");
    }),
  ),
  ...STORES.map(([title, flaw]) =>
    adapterCheck("CHL-09", `passes nobody if the store ${title}`, async ({ serve }) => {
      const errors: RiskGateError[] = [];
      let asked = 0;
      const seen = { evicts: false, use: () => "new", solve() {}, ...flaw } as SingleUseStore;
      const port = await serve(
        challenged({
          challenge: { secrets: CHALLENGE_SECRET, timeoutMs: BUDGET_MS, seen },
          verifyChallenge: () => ++asked > 0,
          onError: (error) => errors.push(error),
        }),
      );
      const answer = await answerWith(port, await freshToken(port));
      equal(codeOf(answer), "CHALLENGE_REQUIRED");
      deepEqual(
        errors.map(({ code }) => code),
        ["STORE_FAILED"],
      );
      equal(asked, 0);
    }),
  ),
  adapterCheck("CHL-11", "answers 429 to a network with too many tokens", async ({ serve }) => {
    const earlier: string[] = [];
    let isFull = true;
    const seen: SingleUseStore = {
      evicts: false,
      use: () => (isFull ? "full" : "new"),
      solve() {},
    };
    const challenge = { secrets: CHALLENGE_SECRET, seen };
    const port = await serve(challenged({ challenge }));
    const token = await freshToken(port);
    const answer = await answerWith(port, token);
    equal(codeOf(answer), "CHALLENGE_LIMITED");
    deepEqual([answer.status, answer.header("retry-after"), tokenIn(answer)], [429, "60", ""]);
    const own = await serve(
      challenged({
        challenge,
        onChallenge: (_, asked, send) => send(earlier.push(asked.earlier) + 400, "{}"),
      }),
    );
    equal((await answerWith(own, token)).status, 401);
    deepEqual(earlier, ["limited"]);
    isFull = false;
    equal((await answerWith(port, token)).status, 200, "the token was not used up");
  }),
];
