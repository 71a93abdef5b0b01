import { destinationOf } from "../address/host-address.js";
import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
import { isThenable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import { factOf } from "../model/fact.js";
import { checkDecideOptions, checkFacts } from "./decide-arguments.js";
import { Decider } from "./decider.js";
import { GateRun } from "./gate-run.js";
import { type GateOptions, readGate } from "./steps.js";

/** Identifiers in a request. */
export interface Facts {
  readonly ip?: string | null | undefined;
  readonly email?: string | null | undefined;
  /** Request path for operator rules, with or without the query. */
  readonly path?: string | null | undefined;
}

export interface DecideOptions {
  /** Aborts the decision, which then rejects with code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Gates share lookups for the same object, such as a request. */
  readonly scope?: object;
  /** Name of the route in the decision log, such as `POST /signup`. */
  readonly route?: string | undefined;
}

/** Decides what should happen to a request. */
export interface Gate {
  /**
   * Decides, with lookups if needed.
   * @throws {RiskGateError} ABORTED if the signal fires, INVALID_ARGUMENT for invalid facts or
   * options; no other errors.
   */
  decide(facts: Facts, options?: DecideOptions): Promise<Decision>;
  /**
   * Decides synchronously from cached results; returns undefined if a lookup is needed.
   * @throws {RiskGateError} INVALID_ARGUMENT for invalid facts or options.
   */
  peek(facts: Facts, options?: Pick<DecideOptions, "route">): Decision | undefined;
}

/**
 * Creates a gate, which combines the scores of an IP address and an email address into one
 * decision.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createGate(options: GateOptions): Gate {
  const settings = readOptions("createGate", options, readGate);
  const decider = new Decider(settings, settings.steps);
  const runOf = ({ ip, email, path }: Facts, options: DecideOptions): GateRun =>
    new GateRun(settings, destinationOf(ip) ?? factOf(ip), factOf(email), {
      asked: { path, options },
    });
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
