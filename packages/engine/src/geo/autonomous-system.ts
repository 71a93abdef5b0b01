import { memberOf } from "./record-member.js";

/** The network that announces an address to the rest of the internet. */
export interface AutonomousSystem {
  /** Its number, 1 to 4294967295. */
  readonly number: number;
  /** Whom it is registered to. */
  readonly organisation?: string;
}

const MAX_NUMBER = 2 ** 32 - 1;

/**
 * Pick the autonomous system out of a record of a MaxMind DB, which may hold anything.
 *
 * Databases of systems and of providers have its members at the top, those for enterprises among
 * the traits.
 */
export function autonomousSystemOf(record: unknown): AutonomousSystem | undefined {
  const members = memberOf(record, "traits") ?? record;
  const number = memberOf(members, "autonomous_system_number");
  const organisation = memberOf(members, "autonomous_system_organization");
  if (!Number.isInteger(number) || (number as number) < 1 || (number as number) > MAX_NUMBER) {
    return undefined;
  }
  return Object.freeze({
    number: number as number,
    ...(typeof organisation === "string" && organisation !== "" && { organisation }),
  });
}
