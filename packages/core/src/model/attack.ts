/** Logins of a route in ten minutes, counted before their passwords are checked. */
export interface LoginCounts {
  /** From known devices. */
  readonly known: number;
  /** Without a known device. */
  readonly fresh: number;
  /** Those of `fresh` that have not succeeded. */
  readonly failed: number;
  /** Above 0 if the route was in attack mode. */
  readonly attacked: number;
}

const ATTACK_SIGNS = ["success_ratio", "new_devices"] as const;

/** Why a route is in attack mode: too many failures, and also this. */
export type AttackSign = (typeof ATTACK_SIGNS)[number];

/** Logins without a known device that exceed what is usual for their route. */
export interface AttackReading {
  /** Logins without a known device that have not succeeded, within the last ten minutes. */
  readonly failures: number;
  /** The most that is usual. */
  readonly limit: number;
  /**
   * `success_ratio`: too few of these logins succeed. `new_devices`: too few of all logins come from
   * known devices.
   */
  readonly sign: AttackSign;
  /** False if the attack mode observes only. */
  readonly enforced: boolean;
}

/**
 * `succeeded`: the password was right. `passed`: the request answers the challenge of an earlier one,
 * which then no longer counts. `refused`: the gate rejected it, so it does not count.
 */
export type LoginEnding = "succeeded" | "passed" | "refused";

/** Returns true if a value of any origin is a reading. */
export function isAttackReading(value: unknown): value is AttackReading {
  const { failures, limit, sign, enforced } = (value ?? {}) as Partial<AttackReading>;
  return (
    Number.isSafeInteger(failures) &&
    Number.isSafeInteger(limit) &&
    ATTACK_SIGNS.some((known) => known === sign) &&
    typeof enforced === "boolean"
  );
}
