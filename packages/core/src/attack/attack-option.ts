import type { OptionReader } from "../base/options.js";
import type { Step } from "../decision/step.js";
import type { AttackReading, LoginEnding } from "../model/attack.js";
import type { Awaitable } from "../model/awaitable.js";

/** Watches the logins of a route for all processes. */
export interface AttackMode {
  readonly enforced: boolean;
  /** The step of a gate that counts logins and challenges strangers. */
  readonly step: Step;
  /** True if `begin` returns its result without a promise. */
  readonly isSync: boolean;
  /**
   * Counts a login before its password is checked, once per request.
   * @returns A reading while the route is under attack; undefined otherwise, and for known devices.
   * Never rejects.
   */
  begin(request: object, isKnown: boolean): Awaitable<AttackReading | undefined>;
  /** Corrects the counts of a login that `begin` has counted; once per request and end. */
  end(request: object, how: LoginEnding): void;
}

export interface AttackModeOption {
  /**
   * Challenges every login without a known device while the route is under attack; as created by
   * `createAttackMode()`. Requires `device`.
   */
  readonly attackMode?: AttackMode;
}

/** @throws {RiskGateError} CONFIG_INVALID for any other value. */
export function readAttackMode(options: OptionReader): AttackMode | undefined {
  const expected = "an attack mode, as created by createAttackMode()";
  return options.object<AttackMode>("attackMode", ["begin", "end"], expected);
}
