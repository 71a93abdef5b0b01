import { Router } from "@koa/router";
import type { Decision, RiskLookup } from "@riskgate/core";
import Koa, { type Context, type Middleware } from "koa";
import { describe, expectTypeOf, it } from "vitest";
import { requireDecision, riskGate, webhookRoute } from "../src/index.js";

describe("types", () => {
  it("give the state its decision without a cast", () => {
    new Koa().use((ctx) => {
      expectTypeOf(ctx.state.risk).toEqualTypeOf<Decision | undefined>();
    });
    new Router().post("/signup", riskGate as unknown as Middleware, (ctx) => {
      expectTypeOf(requireDecision(ctx).outcome).toEqualTypeOf<"allow" | "flag" | "reject">();
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
});
