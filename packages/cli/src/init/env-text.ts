import { parseEnv } from "node:util";
import { RiskGateError } from "@riskgate/core";

export interface EnvChange {
  readonly text: string;
  /** Names of the set variables, including those set to an empty value. */
  readonly set: readonly string[];
  /** Names of the variables that keep a different value. */
  readonly kept: readonly string[];
}

/**
 * Sets variables in the text of a `.env` file. Other lines do not change.
 *
 * @param force Whether to replace existing values.
 * @throws {RiskGateError} CONFIG_INVALID for a value that the file cannot express.
 */
export function setVariables(
  before: string,
  values: Readonly<Record<string, string>>,
  force: boolean,
): EnvChange {
  const set: string[] = [];
  const kept: string[] = [];
  const known = parseEnv(before);
  let text = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  for (const [name, value] of Object.entries(values)) {
    const there = known[name] ?? "";
    if (there === value && name in known) continue;
    if (there !== "" && !force) {
      kept.push(name);
      continue;
    }
    const assignment = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*\\n`, "gm");
    text = `${text.replace(assignment, "")}${name}=${quoted(name, value)}\n`;
    set.push(name);
  }
  return { text, set, kept };
}

/** Omits the quotes if all parsers of such files agree on the value. */
function quoted(name: string, value: string): string {
  if (/^[\w./:@+=-]*$/.test(value)) return value;
  const quote = ["'", '"', "`"].find((one) => !value.includes(one));
  const isLiteral = quote === "'" || !/[\\$]/.test(value);
  if (quote !== undefined && isLiteral && !/[\r\n]/.test(value)) return `${quote}${value}${quote}`;
  throw new RiskGateError("CONFIG_INVALID", `${name} has characters that .env cannot hold`, {
    hint: "Set it in the environment of the application instead",
  });
}
