import { pathsTo } from "./record-forms.js";
import { firstMember } from "./record-member.js";

export interface AutonomousSystem {
  /** AS number, 1 to 4294967295. */
  readonly number: number;
  readonly organisation?: string;
}

const MAX_NUMBER = 2 ** 32 - 1;

const NUMBER = pathsTo("system");
const ORGANISATION = pathsTo("organisation");

/** Reads the autonomous system from a MaxMind DB record, which may contain any value. */
export function autonomousSystemOf(record: unknown): AutonomousSystem | undefined {
  const number = firstMember(record, NUMBER, numberOf);
  if (number === undefined) return undefined;
  const organisation = firstMember(record, ORGANISATION, (name) =>
    typeof name === "string" && name !== "" ? name : undefined,
  );
  return Object.freeze({ number, ...(organisation !== undefined && { organisation }) });
}

function numberOf(value: unknown): number | undefined {
  // IPinfo writes `AS64500`.
  const isText = typeof value === "string" && /^AS\d{1,10}$/.test(value);
  const number = isText ? Number(value.slice(2)) : value;
  const isNumber = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MAX_NUMBER;
  return isNumber ? (number as number) : undefined;
}
