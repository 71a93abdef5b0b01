import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
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
  const settings = readOptions("createGate", options, readGate);
  const decider = new Decider(settings, settings.steps);
  const runOf = ({ ip, email, path }: Facts, options: DecideOptions): GateRun =>
    new GateRun(settings.budgetMs, factOf(ip), factOf(email), { asked: { path, options } });
  return {
    async decide(facts, given = {}) {
      checkFacts(facts);
      checkDecideOptions(given);
      if (given.signal?.aborted) {
        throw new RiskGateError("ABORTED", "the caller aborted the decision");
      }
      const run = runOf(facts, given);
      const verdict = decider.decide(run);
      return decider.publish(run, isThenable(verdict) ? await verdict : verdict);
    },
    peek(facts, given = {}) {
      checkFacts(facts);
      checkDecideOptions(given);
      const run = runOf(facts, given);
      const verdict = decider.peek(run);
      return verdict && decider.publish(run, verdict);
    },
  };
}
