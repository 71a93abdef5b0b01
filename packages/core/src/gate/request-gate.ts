import { callHook, hookError } from "../base/call-hook.js";
import { readOptions } from "../base/options.js";
import type { RefusalCode } from "../base/problem.js";
import { ChallengeStep } from "../challenge/challenge-step.js";
import { deviceStep } from "../device/device-step.js";
import type { GatedRequest } from "../decision/gated-request.js";
import { createRequestReader, type RequestReader } from "../decision/request-reader.js";
import { refusalOf, writeRefusal } from "../decision/refusal.js";
import { type Step, stepsWith, type Verdict } from "../decision/step.js";
import { after, type Awaitable, isThenable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import { ABSENT, OVERRIDE, UNUSABLE } from "../model/fact.js";
import { Decider } from "./decider.js";
import { GateRun } from "./gate-run.js";
import {
  readRequestGate,
  type RequestGateOptions,
  type RequestGateSettings,
} from "./request-gate-options.js";

export interface RequestGate<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Lets a request through or refuses it.
   *
   * @returns True if the next handler should run; a promise unless everything is in memory. False
   * if a response was sent, or the client has disconnected.
   */
  guard(gated: GatedRequest<Args>): boolean | Promise<boolean>;
}

/**
 * Creates the gate that all adapters share.
 *
 * @param factory Name of the function that the application called, for error messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createRequestGate<Args extends readonly [unknown, ...unknown[]]>(
  options: RequestGateOptions<Args>,
  factory = "riskGate",
): RequestGate<Args> {
  return requestGateWith(readOptions(factory, options, readRequestGate<Args>));
}

export function requestGateWith<Args extends readonly [unknown, ...unknown[]]>(
  settings: RequestGateSettings<Args>,
): RequestGate<Args> {
  return new RouteGate(settings);
}

/** Refuses a request whose email no lookup accepts; not a decision of the steps. */
const NO_LOOKUP = {
  outcome: "reject",
  enforced: true,
  because: "identifier_invalid",
  score: null,
} as const;

const CODES: Partial<Record<Decision["because"], RefusalCode>> = {
  unavailable: "RISK_UNAVAILABLE",
  identifier_invalid: "IDENTIFIER_INVALID",
};

class RouteGate<Args extends readonly [unknown, ...unknown[]]> implements RequestGate<Args> {
  readonly #settings: RequestGateSettings<Args>;
  readonly #read: RequestReader<Args>;
  readonly #confirming: readonly Step[];
  readonly #decider: Decider;

  constructor(settings: RequestGateSettings<Args>) {
    const { gate } = settings;
    const steps = requestSteps(settings);
    this.#settings = settings;
    this.#read = createRequestReader(settings, gate.report);
    this.#confirming = gate.enforced ? stepsWith("confirm", steps) : [];
    this.#decider = new Decider(gate, steps);
  }

  guard(gated: GatedRequest<Args>): Awaitable<boolean> {
    const { gate, skip, isCrossSite } = this.#settings;
    const run = new GateRun(gate, ABSENT, ABSENT, { gated, isCrossSite });
    const isSkipped =
      skip &&
      callHook("`skip`", () => skip(gated.args[0]), {
        report: gate.report,
        expects: Boolean,
        otherwise: false,
        limit: { ms: run.leftMs, option: "budgetMs" },
      });
    if (isThenable(isSkipped)) {
      run.startClock();
      return isSkipped.then(
        (skipped) => skipped || after(this.#read(gated, run), () => this.#decide(run, gated)),
      );
    }
    if (isSkipped) return true;
    const waiting = this.#read(gated, run);
    return waiting ? waiting.then(() => this.#decide(run, gated)) : this.#decide(run, gated);
  }

  #decide(run: GateRun, gated: GatedRequest<Args>): Awaitable<boolean> {
    if (run.email === UNUSABLE && this.#settings.gate.enforced) {
      const id = crypto.randomUUID();
      return this.#refuse(gated, { id, ...NO_LOOKUP, ip: OVERRIDE, email: UNUSABLE });
    }
    const verdict = this.#decider.decide(run);
    return isThenable(verdict)
      ? this.#enforceLater(run, gated, verdict)
      : this.#confirm(run, gated, verdict);
  }

  async #enforceLater(
    run: GateRun,
    gated: GatedRequest<Args>,
    verdict: PromiseLike<Verdict>,
  ): Promise<boolean> {
    try {
      return await this.#confirm(run, gated, await verdict);
    } catch (error) {
      if (!run.hasLostClient) throw error;
      // No client remains to receive a response.
      this.#decider.abort(run);
      return false;
    } finally {
      run.end();
    }
  }

  /** Lets the steps challenge the client, then enforces the verdict. */
  #confirm(run: GateRun, gated: GatedRequest<Args>, first: Verdict, at = 0): Awaitable<boolean> {
    let verdict = first;
    for (let next = at; next < this.#confirming.length; next++) {
      const soFar = verdict;
      const given = this.#confirming[next]!.confirm!(run, soFar);
      if (isThenable(given)) {
        return given.then((later) => this.#confirm(run, gated, later ?? soFar, next + 1));
      }
      verdict = given ?? soFar;
    }
    return this.#enforce(run, gated, verdict);
  }

  #enforce(run: GateRun, gated: GatedRequest<Args>, given: Verdict): Awaitable<boolean> {
    const { enforced, report } = this.#settings.gate;
    const isAsked = enforced && given.outcome === "challenge" && !given.enforce;
    const verdict = isAsked ? this.#withoutChallenge(given) : given;
    const decision = this.#decider.publish(run, verdict);
    if (!enforced) return true;
    if (!verdict.enforce) return decision.outcome !== "reject" || this.#refuse(gated, decision);
    const call = (): unknown => verdict.enforce!(run, decision);
    const how = { report, expects: readBoolean, otherwise: undefined };
    return after(callHook<boolean | undefined>("`enforce` of a verdict", call, how), (passes) =>
      passes === undefined
        ? decision.outcome !== "reject" || this.#refuse(gated, decision)
        : passes,
    );
  }

  /** Rejects if a rule, policy or step challenges but the gate has no challenge options. */
  #withoutChallenge(verdict: Verdict): Verdict {
    const cause = new TypeError("a gate challenges only with `challenge` and `verifyChallenge`");
    const name = verdict.rule ? "a rule" : "the policy `decide`";
    this.#settings.gate.report(hookError(name, cause));
    return { ...verdict, outcome: "reject" };
  }

  #refuse(gated: GatedRequest<Args>, decision: Decision): Awaitable<boolean> {
    const { onReject } = this.#settings;
    const { budgetMs: timeoutMs, report } = this.#settings.gate;
    const reply = refusalOf(CODES[decision.because] ?? "RISK_REJECTED", decision);
    if (!onReject) {
      gated.sendReply(reply);
      return false;
    }
    const write = () => onReject(decision, ...gated.args);
    // The application's refusal has the same time limit as the lookups.
    const written = writeRefusal({ gated, hook: "onReject", write, reply, timeoutMs, report });
    return written.then(() => false);
  }
}

function requestSteps<Args extends readonly [unknown, ...unknown[]]>(
  settings: RequestGateSettings<Args>,
): Step[] {
  const { challenge, verifyChallenge, onChallenge, onDecision, device, attack } = settings;
  const { budgetMs, report } = settings.gate;
  const steps = [
    ...(device ? [deviceStep(device)] : []),
    ...settings.gate.steps,
    ...(attack ? [attack] : []),
  ];
  const handOver: Step = {
    name: "hand-over",
    decided(decision, { gated }) {
      gated!.attach(decision);
      if (!onDecision) return;
      const call = (): unknown => onDecision(decision, ...(gated!.args as Args));
      void callHook("`onDecision`", call, { report, otherwise: undefined });
    },
  };
  if (!challenge || !(verifyChallenge || challenge.proof)) return [...steps, handOver];
  const given = { challenge, verifyChallenge, onChallenge, budgetMs, report };
  return [...steps, new ChallengeStep(given), handOver];
}

function readBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError("expected true or false, or a promise of one of them");
}
