import { RiskGateError } from "@riskgate/core";
import { foldEmail, normalizeIp } from "@riskgate/core/address";

/** A fake's response for one identifier: members of the assessment, and a fault. */
export interface FakeAnswer<F extends string> {
  /** 0 to 100; default 0. */
  readonly risk_score?: number;
  /** Fault instead of an assessment. */
  readonly fault?: F;
  /** Wait before the response, in milliseconds; default 0, Infinity for no response. */
  readonly delayMs?: number;
  /** Further members of the assessment. */
  readonly [member: string]: unknown;
}

/** Responses by identifier. IP addresses are compared by value. */
export interface AnswerTable<F extends string> {
  readonly set: (identifier: string, answer: FakeAnswer<F>) => void;
  readonly find: (identifier: string) => FakeAnswer<F>;
}

/**
 * Creates a table of responses.
 * @throws {RiskGateError} CONFIG_INVALID for an invalid score, fault or delay.
 */
export function createAnswerTable<F extends string>(
  faults: readonly F[],
  answers: Readonly<Record<string, FakeAnswer<F>>>,
  otherwise: FakeAnswer<F>,
): AnswerTable<F> {
  const table = new Map<string, FakeAnswer<F>>();
  const check = (answer: FakeAnswer<F>): FakeAnswer<F> => {
    if (typeof answer !== "object" || answer === null)
      refuse("an answer must be an object", answer);
    const { risk_score: score = 0, fault, delayMs = 0 } = answer;
    if (typeof score !== "number" || !(score >= 0 && score <= 100)) {
      refuse("`risk_score` must be from 0 to 100", score);
    }
    if (fault !== undefined && !faults.includes(fault)) {
      refuse(`\`fault\` must be one of ${faults.join(", ")}`, fault);
    }
    if (typeof delayMs !== "number" || !(delayMs >= 0)) {
      refuse("`delayMs` must be at least 0", delayMs);
    }
    const misspelled = Object.keys(answer).find(isMisspelled);
    if (misspelled !== undefined) refuse(`expected ${OWN.join(", ")} or a member`, misspelled);
    return answer;
  };
  const set = (identifier: string, answer: FakeAnswer<F>): void =>
    void table.set(keyOf(identifier), check(answer));
  for (const [identifier, answer] of Object.entries(answers)) set(identifier, answer);
  check(otherwise);
  return { set, find: (identifier) => table.get(keyOf(identifier)) ?? otherwise };
}

export function membersOf<F extends string>(answer: FakeAnswer<F>): Record<string, unknown> {
  const { fault: _fault, delayMs: _delayMs, ...members } = answer;
  return members;
}

/** Names with a meaning here; any other name is a member of the assessment. */
const OWN = ["risk_score", "fault", "delayMs"];

/**
 * Returns true for names such as `riskScore`, `score` and `delay_ms`, which would be members
 * without any effect.
 */
function isMisspelled(name: string): boolean {
  const letters = lettersOf(name);
  if (OWN.includes(name) || letters.length < 4) return false;
  return OWN.some((one) => letters.includes(lettersOf(one)) || lettersOf(one).includes(letters));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

function keyOf(identifier: string): string {
  return normalizeIp(identifier) ?? foldEmail(identifier);
}

function refuse(expected: string, given: unknown): never {
  throw new RiskGateError("CONFIG_INVALID", `${expected}, given ${String(given)}`);
}
