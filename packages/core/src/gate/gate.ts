import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
import { decisionOf } from "../decision/decision-of.js";
import type { Verdict } from "../decision/step.js";
import { isThenable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import { factOf } from "../model/fact.js";
import { checkDecideOptions, checkFacts } from "./decide-arguments.js";
import { Decider } from "./decider.js";
import { GateRun } from "./gate-run.js";
import { type GateOptions, readGate } from "./steps.js";

/** Identifiers of a request. */
export interface Facts {
  readonly ip?: string | null | undefined;
  readonly email?: string | null | undefined;
  /** Path of the request, for rules; with or without its query. */
  readonly path?: string | null | undefined;
}

/** Options of one decision. */
export interface DecideOptions {
  /** Aborts the decision, with code `ABORTED`: its result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /** Gates that decide about the same object, such as a request, share their lookups. */
  readonly scope?: object;
  /** Names the route in the log of decisions, such as `POST /signup`. */
  readonly route?: string | undefined;
}

/** Decides what should happen to a request. */
export interface Gate {
  /**
   * Decides, with the lookups that are needed.
   *
   * @throws {RiskGateError} ABORTED when the signal ends it, INVALID_ARGUMENT for unusable facts or
   * options, and nothing else.
   */
  decide(facts: Facts, options?: DecideOptions): Promise<Decision>;
  /**
   * Decides from memory; returns undefined if a lookup is needed.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for unusable facts or options.
   */
  peek(facts: Facts, options?: Pick<DecideOptions, "route">): Decision | undefined;
}

/**
 * Makes a gate: the policy that turns the scores of an IP address and an email address into one
 * decision.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createGate(options: GateOptions): Gate {
  const { budgetMs, enforced, source, steps } = readOptions("createGate", options, readGate);
  const decider = new Decider(source, steps);
  const publish = (run: GateRun, verdict: Verdict): Decision => {
    const decision = decisionOf(verdict, enforced, run);
    decider.publish(run, decision);
    return decision;
  };
  return {
    async decide(facts, given = {}) {
      checkFacts(facts);
      checkDecideOptions(given);
      if (given.signal?.aborted) {
        throw new RiskGateError("ABORTED", "the caller ended the decision");
      }
      const run = new DirectRun(budgetMs, facts, given);
      const verdict = decider.decide(run);
      return publish(run, isThenable(verdict) ? await verdict : verdict);
    },
    peek(facts, given = {}) {
      checkFacts(facts);
      checkDecideOptions(given);
      const run = new DirectRun(budgetMs, facts, given);
      const verdict = decider.peek(run);
      return verdict && publish(run, verdict);
    },
  };
}

/** A decision that the application asks for itself. */
class DirectRun extends GateRun {
  readonly gated: undefined;
  readonly request: undefined;
  readonly scope: object | undefined;
  readonly path: string | undefined;
  readonly route: string | undefined;
  readonly signal: AbortSignal | undefined;

  constructor(budgetMs: number, { ip, email, path }: Facts, options: DecideOptions) {
    super(budgetMs, factOf(ip), factOf(email));
    this.path = typeof path === "string" && path !== "" ? path : undefined;
    this.scope = options.scope;
    this.route = options.route;
    this.signal = options.signal;
  }
}
