import type { Challenge, Decision, RiskLookup, SingleUseStore } from "@riskgate/core";
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
} from "fastify";
import { describe, expectTypeOf, it } from "vitest";
import { requireDecision, type RiskGateOptions, type RouteRiskGate } from "../src/index.js";

describe("types", () => {
  it("say that a request may have no decision", () => {
    expectTypeOf<FastifyRequest["risk"]>().toEqualTypeOf<Decision | undefined>();
    expectTypeOf(requireDecision).returns.toEqualTypeOf<Decision>();
    const add = (app: FastifyInstance) =>
      app.post("/signup", { config: { riskGate: true } }, (request) => request.risk?.outcome);
    expectTypeOf(add).toBeFunction();
  });

  it("know the config of a route and the hook of the instance", () => {
    expectTypeOf<FastifyContextConfig["riskGate"]>().toEqualTypeOf<RouteRiskGate | undefined>();
    expectTypeOf<FastifyInstance["riskGate"]>().returns.toEqualTypeOf<preHandlerHookHandler>();
    const config: FastifyContextConfig = { riskGate: { rejectAbove: 90 } };
    expectTypeOf(config).toExtend<object>();
    // @ts-expect-error -- Misspelled.
    const wrong: FastifyContextConfig = { riskGate: { rejectAbov: 90 } };
    expectTypeOf(wrong).toExtend<object>();
  });

  it("give hooks the request and reply of Fastify", () => {
    const options: RiskGateOptions = {
      lookup: {} as RiskLookup,
      email: (request) => {
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
        return undefined;
      },
      onReject(decision, request, reply) {
        expectTypeOf(decision).toEqualTypeOf<Decision>();
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
        expectTypeOf(reply).toEqualTypeOf<FastifyReply>();
      },
    };
    expectTypeOf(options).toExtend<object>();
  });

  it("give the hooks of a challenge the same, and the challenge", () => {
    const options: RiskGateOptions = {
      lookup: {} as RiskLookup,
      challengeAbove: 60,
      challenge: { secrets: ["secret"], ttlMs: 1, timeoutMs: 1, seen: {} as SingleUseStore },
      onChallenge(decision, challenge, request, reply) {
        expectTypeOf(decision).toEqualTypeOf<Decision>();
        expectTypeOf(challenge).toEqualTypeOf<Challenge>();
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
        expectTypeOf(reply).toEqualTypeOf<FastifyReply>();
      },
      verifyChallenge(request, reply) {
        expectTypeOf(request).toEqualTypeOf<FastifyRequest>();
        expectTypeOf(reply).toEqualTypeOf<FastifyReply>();
        return true;
      },
    };
    expectTypeOf(options).toExtend<object>();
    // @ts-expect-error -- Only true and false answer the question.
    const wrong: RiskGateOptions = { ...options, verifyChallenge: () => "yes" };
    expectTypeOf(wrong).toExtend<object>();
  });
});
