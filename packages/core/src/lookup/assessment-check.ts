import type { Assessment, LookupType } from "./assessment.js";
import { normalizeIp } from "../address/ip-address.js";

/**
 * Why a parsed value is not an assessment of this identifier, or undefined when it is one.
 *
 * Only what a decision rests on is checked: a service may add members, and leave out what it does
 * not know.
 *
 * @param key Normal form of the identifier asked about.
 */
export function assessmentProblem(
  value: unknown,
  type: LookupType,
  key: string,
): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "expected a JSON object";
  }
  const score = Object.hasOwn(value, "risk_score") && (value as Assessment).risk_score;
  if (typeof score !== "number") return "expected a number as `risk_score`";
  // Written so that NaN fails too; a number too large for JSON has become Infinity.
  if (!(score >= 0 && score <= 100)) return "expected a `risk_score` from 0 to 100";
  if (type === "ip" && Object.hasOwn(value, "ip") && "ip" in value) {
    // Another spelling of the address is the same address.
    const isOther = value.ip !== key && normalizeIp(value.ip) !== key;
    if (isOther) return "expected an assessment of the IP address asked about";
  }
  return undefined;
}

/**
 * Freeze a value made by `JSON.parse` all the way down, and drop members named `__proto__`, which a
 * careless copy would turn into a prototype.
 */
export function sealJson<T extends object>(root: T): T {
  // A list instead of recursion: 64 KiB of opening brackets would overflow the stack.
  const pending: object[] = [root];
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    const members: unknown[] = Object.values(value);
    for (const member of members) {
      if (typeof member === "object" && member !== null) pending.push(member);
    }
    Object.freeze(value);
  }
  return root;
}
