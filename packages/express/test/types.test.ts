import type {
  Challenge,
  Decision,
  FlagName,
  Outcome,
  RiskLookup,
  SingleUseStore,
} from "@riskgate/core";
import express, { type Request, type RequestHandler, type Response } from "express";
import { describe, expectTypeOf, it } from "vitest";
import { requireDecision, riskGate, type RiskGateOptions, webhookRoute } from "../src/index.js";

describe("types", () => {
  it("say that a request may have no decision", () => {
    expectTypeOf<Request["risk"]>().toEqualTypeOf<Decision | undefined>();
    expectTypeOf(requireDecision).returns.toEqualTypeOf<Decision>();
    const app = express();
    app.post("/signup", (req, res) => {
      expectTypeOf(requireDecision(req).outcome).toEqualTypeOf<Outcome>();
      res.end();
    });
  });

  it("give hooks the request and response of Express", () => {
    const lookup = {} as RiskLookup;
    const make = () =>
      riskGate({
        lookup,
        email: (req) => {
          expectTypeOf(req).toEqualTypeOf<Request>();
          return undefined;
        },
        onReject(decision, req, res) {
          expectTypeOf(decision).toEqualTypeOf<Decision>();
          expectTypeOf(req).toEqualTypeOf<Request>();
          expectTypeOf(res).toEqualTypeOf<Response>();
        },
      });
    expectTypeOf(make).returns.toEqualTypeOf<RequestHandler>();
    expectTypeOf(webhookRoute).returns.toEqualTypeOf<RequestHandler>();
  });

  it("refuse an option that does not exist", () => {
    // @ts-expect-error -- Misspelled.
    const make = () => riskGate({ lookup: {} as RiskLookup, rejectAbov: 80 });
    expectTypeOf(make).toBeFunction();
  });

  it("complete the flags of `outcomes`", () => {
    type Outcomes = NonNullable<RiskGateOptions["outcomes"]>;
    expectTypeOf<NonNullable<Outcomes["reject"]>[number]>().toEqualTypeOf<FlagName>();
    expectTypeOf<"tor">().toExtend<FlagName>();
    // @ts-expect-error -- The wire spelling.
    expectTypeOf<{ reject: ["is_tor"] }>().toExtend<Outcomes>();
  });

  it("give the hooks of a challenge the same, and the challenge", () => {
    const options: RiskGateOptions = {
      lookup: {} as RiskLookup,
      challengeAbove: 60,
      challenge: { secrets: ["secret"], ttlMs: 1, timeoutMs: 1, seen: {} as SingleUseStore },
      onChallenge(decision, challenge, req, res) {
        expectTypeOf(decision).toEqualTypeOf<Decision>();
        expectTypeOf(challenge).toEqualTypeOf<Challenge>();
        expectTypeOf(req).toEqualTypeOf<Request>();
        expectTypeOf(res).toEqualTypeOf<Response>();
      },
      verifyChallenge(req, res) {
        expectTypeOf(req).toEqualTypeOf<Request>();
        expectTypeOf(res).toEqualTypeOf<Response>();
        return true;
      },
    };
    expectTypeOf(options).toExtend<object>();
    // @ts-expect-error -- Only true and false answer the question.
    const wrong: RiskGateOptions = { ...options, verifyChallenge: () => "yes" };
    expectTypeOf(wrong).toExtend<object>();
  });
});
