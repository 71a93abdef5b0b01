import { RiskGateError } from "../base/errors.js";

export interface RuleProblem {
  /** JSON Pointer (RFC 6901), such as `/rules/2/when/country/0`; empty for the root. */
  readonly pointer: string;
  readonly reason: string;
  /** Position in the text, counted from 1; absent if the rules were not text. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * Creates the error for invalid rules: the first problem, and the number of others.
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

export function describeProblem({ pointer, reason, line, column }: RuleProblem): string {
  const place = line === undefined ? "" : `line ${line}, column ${column}: `;
  return `${place}${pointer === "" ? "" : `${pointer}: `}${reason}`;
}
