import { domainToAscii } from "../base/platform.js";
import type { Assessment, LookupType } from "../model/assessment.js";
import { isScore } from "../model/score.js";
import { normalizeIp } from "../address/ip-address.js";

/**
 * Returns why a parsed value is not an assessment of this identifier, or undefined. Checks only
 * decisive members: a service may add others, and omit values that it does not know.
 *
 * @param key Normal form of the requested identifier.
 */
export function assessmentProblem(
  value: unknown,
  type: LookupType,
  key: string,
): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "expected a JSON object";
  }
  const score: unknown = Object.hasOwn(value, "risk_score") && (value as Assessment).risk_score;
  if (typeof score !== "number") return "expected a number as `risk_score`";
  if (!isScore(score)) return "expected a `risk_score` from 0 to 100";
  if (isAboutAnother(value, type, key)) return `expected an assessment of the requested ${type}`;
  return undefined;
}

/**
 * Returns true if an assessment names a different identifier than requested, because a proxy
 * changed the path or mixed up two responses.
 *
 * @param key The requested identifier, in any spelling.
 */
export function isAboutAnother(assessment: object, type: LookupType, key: string): boolean {
  if (!Object.hasOwn(assessment, type)) return false;
  const named = (assessment as Record<string, unknown>)[type];
  if (named === key) return false;
  if (type === "ip") return normalizeIp(named) !== normalizeIp(key);
  return typeof named !== "string" || foldLoosely(named) !== foldLoosely(key);
}

/** A service may normalize an email address more than the client does, and return that form. */
function foldLoosely(email: string): string {
  const text = email.normalize("NFKC").trim().toLowerCase();
  const domainAt = text.lastIndexOf("@") + 1;
  return text.slice(0, domainAt) + (domainToAscii(text.slice(domainAt)) || text.slice(domainAt));
}

/**
 * Freezes a value from `JSON.parse` deeply, and drops members named `__proto__`, which a careless copy
 * would turn into a prototype.
 */
export function sealJson<T extends object>(root: T): T {
  // An explicit list, because 64 KiB of opening brackets would overflow the stack in a recursion.
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
