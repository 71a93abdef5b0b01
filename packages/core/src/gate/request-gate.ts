import { createAddressWatch } from "./set-up-warnings.js";
import { isThenable } from "../model/awaitable.js";
import { cleanAddress, clientAddress } from "../decision/client-address.js";
import type { Decision } from "../model/decision.js";
import { publishDecision } from "../decision/decision-channel.js";
import { RiskGateError } from "../base/errors.js";
import { NOT_GIVEN, UNUSABLE } from "../decision/evidence.js";
import { createDecider, type Facts, type LookUpOptions } from "./gate.js";
import type { GatedRequest } from "../decision/gated-request.js";
import { countdown, createHookRun, type TimeLeft } from "../decision/hook-run.js";
import { readOptions } from "../base/options.js";
import { ownEmail } from "../decision/email-of.js";
import { problemReply } from "../base/problem.js";
import { writeRefusal } from "../decision/refusal.js";
import {
  readRequestGate,
  type RequestGateOptions,
  type RequestGateSettings,
} from "./request-gate-options.js";
import { createStepUp, type StepUp } from "../challenge/challenge-step.js";
import { routedPath, routeOf } from "../decision/request-route.js";

/** A gate in front of a route. */
export interface RequestGate<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Let a request pass or refuse it.
   *
   * @returns True when the next handler is to run: at once when everything is in memory, else a
   * promise. False when the request was answered, or the client has gone.
   */
  guard(gated: GatedRequest<Args>): boolean | Promise<boolean>;
}

/**
 * Make the gate that all adapters share.
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

/** Make a gate from options that were read. */
export function requestGateWith<Args extends readonly [unknown, ...unknown[]]>(
  settings: RequestGateSettings<Args>,
): RequestGate<Args> {
  const { gate, skip, selectEmail, selectIp, trusted, onReject, onDecision } = settings;
  const { challenge, onChallenge, verifyChallenge } = settings;
  const { report, budgetMs, policy, keep } = gate;
  const begin = createDecider(gate);
  const watch = createAddressWatch();
  const run = createHookRun(report);
  const stepUp =
    challenge &&
    verifyChallenge &&
    createStepUp({ challenge, verifyChallenge, onChallenge, budgetMs, run, report });

  const findIp = (gated: GatedRequest<Args>, leftMs: number): unknown => {
    if (selectIp) return run("ip", () => selectIp(gated.args[0]), budgetLeft(leftMs));
    if (!trusted) return cleanAddress(gated.ip) ?? UNUSABLE;
    const { socket, headers } = gated.request;
    return clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trusted) ?? UNUSABLE;
  };
  const findEmail = (gated: GatedRequest<Args>, leftMs: number): unknown => {
    if (!selectEmail) return ownEmail(gated.body);
    const found = run("email", () => selectEmail(gated.args[0]), budgetLeft(leftMs));
    // A selector that gives null has looked; a client that sends null has sent something.
    const orNone = (email: unknown): unknown => email ?? undefined;
    return isThenable(found) ? found.then(orNone) : orNone(found);
  };

  const announce = (gated: GatedRequest<Args>, decision: Decision, facts: Facts): void => {
    publishDecision(decision);
    keep(decision, facts, () => routeOf(gated));
    gated.attach(decision);
    if (onDecision) void run("onDecision", () => onDecision(decision, ...gated.args));
  };
  const reject = (
    gated: GatedRequest<Args>,
    decision: Decision,
    facts: Facts,
  ): boolean | Promise<boolean> => {
    announce(gated, decision, facts);
    const isOutage = decision.because === "unavailable";
    const reply = problemReply(isOutage ? "RISK_UNAVAILABLE" : "RISK_REJECTED");
    if (!onReject) {
      gated.sendReply(reply);
      return false;
    }
    const write = () => onReject(decision, ...gated.args);
    // The application's own refusal gets as long as the lookups did.
    const timeoutMs = budgetMs;
    const written = writeRefusal({ gated, hook: "onReject", write, reply, timeoutMs, report });
    return written.then(() => false);
  };
  const challengeOrPass = async (
    gated: GatedRequest<Args>,
    decision: Decision,
    facts: Facts,
    step: StepUp<Args>,
  ): Promise<boolean> => {
    // Where a status alone counts as an answer, a middleware may have set one long before.
    const wasAnswered = gated.isAnswered();
    const answer = await step.check(gated, facts);
    const isPassed = answer === "passed";
    announce(
      gated,
      isPassed ? { ...decision, outcome: "allow", because: "challenge_passed" } : decision,
      facts,
    );
    // Where the hook has answered by itself, or the client has gone, there is nothing left to do.
    if (gated.response.destroyed || (gated.isAnswered() && !wasAnswered)) return false;
    if (!isPassed) await step.ask(gated, facts, decision, answer);
    return isPassed;
  };
  const enforce = (
    gated: GatedRequest<Args>,
    decision: Decision,
    facts: Facts,
  ): boolean | Promise<boolean> => {
    const { outcome, enforced } = decision;
    if (enforced && outcome === "reject") return reject(gated, decision, facts);
    if (enforced && outcome === "challenge") {
      if (stepUp) return challengeOrPass(gated, decision, facts, stepUp);
      const cause = new TypeError("a gate challenges only with `challenge` and `verifyChallenge`");
      const origin = decision.rule ? "a rule" : "the policy `decide`";
      report(new RiskGateError("HOOK_FAILED", `${origin} failed`, { cause }));
      return reject(gated, { ...decision, outcome: "reject" }, facts);
    }
    announce(gated, decision, facts);
    return true;
  };

  const decide = (
    gated: GatedRequest<Args>,
    ip: unknown,
    email: unknown,
    leftMs: number,
  ): boolean | Promise<boolean> => {
    const isUsable = email === undefined || typeof email === "string" || email === NOT_GIVEN;
    if (!isUsable && policy.enforced) {
      gated.sendReply(problemReply("IDENTIFIER_INVALID"));
      return false;
    }
    const path = gate.rules && routedPath(gated);
    const facts = { ip, email: isUsable ? email : UNUSABLE, path } as Facts;
    const begun = begin(facts, gated.request);
    return typeof begun === "function"
      ? lookUp(gated, begun, facts, leftMs)
      : enforce(gated, begun, facts);
  };

  const lookUp = async (
    gated: GatedRequest<Args>,
    goOn: (options: LookUpOptions) => Promise<Decision>,
    facts: Facts,
    leftMs: number,
  ): Promise<boolean> => {
    const { request, response } = gated;
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    response.once("close", onClose);
    try {
      const decision = await goOn({ signal: gone.signal, scope: request, leftMs });
      return await enforce(gated, decision, facts);
    } catch (error) {
      // The client has gone: the answer would reach no one.
      if (gone.signal.aborted) return false;
      throw error;
    } finally {
      response.off("close", onClose);
    }
  };

  const identify = (
    gated: GatedRequest<Args>,
    leftMs: number = budgetMs,
  ): boolean | Promise<boolean> => {
    if (!trusted && !selectIp) watch.trust(gated);
    if (!selectEmail) watch.body(gated.request, gated.body);
    const ip = findIp(gated, leftMs);
    const email = findEmail(gated, leftMs);
    if (isThenable(ip) || isThenable(email)) {
      const left = countdown(leftMs);
      return Promise.all([ip, email]).then((found) => decide(gated, ...found, left()));
    }
    if (typeof ip === "string") watch.address(ip, gated.request);
    return decide(gated, ip, email, leftMs);
  };

  return {
    guard(gated) {
      const skipped = skip && run("skip", () => skip(gated.args[0]), budgetLeft(budgetMs));
      if (isThenable(skipped)) {
        const left = countdown(budgetMs);
        return Promise.resolve(skipped).then((value) => isTrue(value) || identify(gated, left()));
      }
      return isTrue(skipped) || identify(gated);
    },
  };
}

const budgetLeft = (ms: number): TimeLeft => ({ ms, option: "budgetMs" });

/** A predicate that failed is not true. */
const isTrue = (value: unknown): boolean => Boolean(value) && value !== NOT_GIVEN;
