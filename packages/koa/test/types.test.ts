import { Router } from "@koa/router";
import type { Challenge, Decision, Outcome, RiskLookup, SingleUseStore } from "@riskgate/core";
import Koa, { type Context, type Middleware } from "koa";
import { describe, expectTypeOf, it } from "vitest";
import { requireDecision, riskGate, type RiskGateOptions, webhookRoute } from "../src/index.js";

describe("types", () => {
  it("give the state its decision without a cast", () => {
    new Koa().use((ctx) => {
      expectTypeOf(ctx.state.risk).toEqualTypeOf<Decision | undefined>();
    });
    new Router().post("/signup", riskGate as unknown as Middleware, (ctx) => {
      expectTypeOf(requireDecision(ctx).outcome).toEqualTypeOf<Outcome>();
    });
  });

  it("give hooks the context of Koa", () => {
    const make = () =>
      riskGate({
        lookup: {} as RiskLookup,
        ip: (ctx) => {
          expectTypeOf(ctx).toEqualTypeOf<Context>();
          return undefined;
        },
        onReject(decision, ctx) {
          expectTypeOf(decision).toEqualTypeOf<Decision>();
          expectTypeOf(ctx).toEqualTypeOf<Context>();
        },
      });
    expectTypeOf(make).returns.toEqualTypeOf<Middleware>();
    expectTypeOf(webhookRoute).returns.toEqualTypeOf<Middleware>();
  });

  it("refuse an option that does not exist", () => {
    // @ts-expect-error -- Misspelled.
    const make = () => riskGate({ lookup: {} as RiskLookup, rejectAbov: 80 });
    expectTypeOf(make).toBeFunction();
  });

  it("give the hooks of a challenge the same, and the challenge", () => {
    const options: RiskGateOptions = {
      lookup: {} as RiskLookup,
      challengeAbove: 60,
      challenge: { secrets: ["secret"], ttlMs: 1, timeoutMs: 1, seen: {} as SingleUseStore },
      onChallenge(decision, challenge, context) {
        expectTypeOf(decision).toEqualTypeOf<Decision>();
        expectTypeOf(challenge).toEqualTypeOf<Challenge>();
        expectTypeOf(context).toEqualTypeOf<Context>();
      },
      verifyChallenge(context) {
        expectTypeOf(context).toEqualTypeOf<Context>();
        return true;
      },
    };
    expectTypeOf(options).toExtend<object>();
    // @ts-expect-error -- Only true and false answer the question.
    const wrong: RiskGateOptions = { ...options, verifyChallenge: () => "yes" };
    expectTypeOf(wrong).toExtend<object>();
  });
});
