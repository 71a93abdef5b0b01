import { callHook } from "../base/call-hook.js";
import { readOptions } from "../base/options.js";
import { problemReply } from "../base/problem.js";
import { ChallengeStep, createNoChallengeStep } from "../challenge/challenge-step.js";
import { decisionOf } from "../decision/decision-of.js";
import type { GatedRequest } from "../decision/gated-request.js";
import { writeRefusal } from "../decision/refusal.js";
import type { Step, Verdict } from "../decision/step.js";
import { after, type Awaitable, isThenable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import { UNUSABLE } from "../model/fact.js";
import { Decider } from "./decider.js";
import { createIdentifiers } from "./identifiers.js";
import {
  readRequestGate,
  type RequestGateOptions,
  type RequestGateSettings,
} from "./request-gate-options.js";
import { RequestRun } from "./request-run.js";

/** A gate in front of a route. */
export interface RequestGate<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Lets a request pass or refuses it.
   *
   * @returns True if the next handler is to run: at once if everything is in memory, otherwise by a
   * promise. False if the request was answered, or the client has gone.
   */
  guard(gated: GatedRequest<Args>): boolean | Promise<boolean>;
}

/**
 * Makes the gate that all adapters share.
 *
 * @param factory Name of the function that the application called, for the messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createRequestGate<Args extends readonly [unknown, ...unknown[]]>(
  options: RequestGateOptions<Args>,
  factory = "riskGate",
): RequestGate<Args> {
  return requestGateWith(readOptions(factory, options, readRequestGate<Args>));
}

/** Makes a gate from options that were read. */
export function requestGateWith<Args extends readonly [unknown, ...unknown[]]>(
  settings: RequestGateSettings<Args>,
): RequestGate<Args> {
  const { onReject } = settings;
  const { budgetMs, enforced, report, source } = settings.gate;
  const decider = new Decider(source, requestSteps(settings));
  const identifiers = createIdentifiers(settings, report);

  const decide = (run: RequestRun<Args>): Awaitable<boolean> => {
    if (run.email === UNUSABLE && enforced) {
      run.gated.sendReply(problemReply("IDENTIFIER_INVALID"));
      return false;
    }
    const verdict = decider.decide(run);
    return isThenable(verdict) ? confirmLater(run, verdict) : confirm(run, verdict);
  };
  const confirmLater = async (
    run: RequestRun<Args>,
    verdict: PromiseLike<Verdict>,
  ): Promise<boolean> => {
    try {
      return await confirm(run, await verdict);
    } catch (error) {
      // The answer would reach nobody.
      if (run.isAborted) return false;
      throw error;
    } finally {
      run.end();
    }
  };
  const confirm = (run: RequestRun<Args>, verdict: Verdict): Awaitable<boolean> => {
    const confirmed = enforced ? decider.confirm(run, verdict) : verdict;
    return isThenable(confirmed)
      ? confirmed.then((final) => enforce(run, final))
      : enforce(run, confirmed);
  };
  const enforce = (run: RequestRun<Args>, verdict: Verdict): Awaitable<boolean> => {
    const decision = decisionOf(verdict, enforced, run);
    decider.publish(run, decision);
    if (!enforced) return true;
    if (!verdict.enforce) return decision.outcome !== "reject" || refuse(run.gated, decision);
    const passed = callHook<boolean | undefined>(
      "`enforce` of a verdict",
      () => verdict.enforce!(run, decision),
      { report, expects: readBoolean, otherwise: undefined },
    );
    return after(
      passed,
      (given) => given ?? (decision.outcome !== "reject" || refuse(run.gated, decision)),
    );
  };
  const refuse = (gated: GatedRequest<Args>, decision: Decision): Awaitable<boolean> => {
    const isOutage = decision.because === "unavailable";
    const reply = problemReply(isOutage ? "RISK_UNAVAILABLE" : "RISK_REJECTED");
    if (!onReject) {
      gated.sendReply(reply);
      return false;
    }
    const write = () => onReject(decision, ...gated.args);
    // The application gets as much time for its refusal as the lookups had.
    const timeoutMs = budgetMs;
    const written = writeRefusal({ gated, hook: "onReject", write, reply, timeoutMs, report });
    return written.then(() => false);
  };

  return {
    guard(gated) {
      const run = new RequestRun(budgetMs, gated);
      const isSkipped = identifiers.isSkipped(run);
      if (isThenable(isSkipped)) {
        run.startClock();
        return isSkipped.then((skips) => skips || after(identifiers.read(run), () => decide(run)));
      }
      if (isSkipped) return true;
      const waiting = identifiers.read(run);
      return waiting ? waiting.then(() => decide(run)) : decide(run);
    },
  };
}

/** Lists the steps of a gate in front of a route: those of the gate, and those that need a request. */
function requestSteps<Args extends readonly [unknown, ...unknown[]]>(
  settings: RequestGateSettings<Args>,
): Step[] {
  const { challenge, verifyChallenge, onChallenge, onDecision } = settings;
  const { budgetMs, report, steps } = settings.gate;
  const challengeStep =
    challenge && verifyChallenge
      ? new ChallengeStep({ challenge, verifyChallenge, onChallenge, budgetMs, report })
      : createNoChallengeStep(report);
  const handOver: Step = {
    name: "hand-over",
    decided(decision, { gated }) {
      gated!.attach(decision);
      if (!onDecision) return;
      const call = (): unknown => onDecision(decision, ...(gated!.args as Args));
      void callHook("`onDecision`", call, { report, otherwise: undefined });
    },
  };
  return [...steps, challengeStep, handOver];
}

function readBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError("expected true or false, or a promise of one of them");
}
