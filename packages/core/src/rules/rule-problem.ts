import { RiskGateError } from "../base/errors.js";

/** One thing that is wrong with rules. */
export interface RuleProblem {
  /** Where, as a JSON Pointer (RFC 6901): `/rules/2/when/country/0`; empty for the whole. */
  readonly pointer: string;
  /** The expected and the given value. */
  readonly reason: string;
  /** Position in the text, both from 1; absent without a text. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * The error for rules that cannot be used: the first problem, and how many more there are.
 *
 * @param origin Name of the option or file.
 */
export function rulesRefused(
  origin: string,
  [first, ...others]: readonly RuleProblem[],
): RiskGateError {
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return new RiskGateError(
    "CONFIG_INVALID",
    `${origin}${first ? `: ${describeProblem(first)}` : ""}${more}`,
    { hint: "Correct the rule; `riskgate rules check FILE` shows every problem of a file" },
  );
}

/** One line about a problem, with its place. */
export function describeProblem({ pointer, reason, line, column }: RuleProblem): string {
  const place = line === undefined ? "" : `line ${line}, column ${column}: `;
  return `${place}${pointer === "" ? "" : `${pointer}: `}${reason}`;
}
