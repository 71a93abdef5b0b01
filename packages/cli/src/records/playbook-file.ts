import type { NewPlaybook } from "@riskgate/api-types";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { readJson } from "../input/read-json.js";

/**
 * Sends the playbook of a file, whose members the service checks. If it refuses one, the error names
 * the file and the value.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a file that cannot be used.
 */
export async function withPlaybookFile<T>(
  file: string,
  send: (playbook: NewPlaybook) => Promise<T>,
): Promise<T> {
  const playbook = await readJson(file);
  if (typeof playbook !== "object" || playbook === null || Array.isArray(playbook)) {
    throw new RiskGateError("CONFIG_INVALID", `expected one JSON object in ${file}`);
  }
  try {
    return await send(playbook as NewPlaybook);
  } catch (error) {
    if (!isRiskGateError(error) || error.status !== 400 || error.details === undefined) throw error;
    const message = `${file}: ${withGiven(error.details, playbook)}`;
    throw new RiskGateError("CONFIG_INVALID", message, {
      cause: error,
      hint: "Correct the file; nothing was done",
    });
  }
}

/** Adds the value from the file: the service repeats none, because it could be a secret. */
function withGiven(details: string, playbook: object): string {
  return details.replace(/^`([\w.[\]]+)`(?= must be )/, (member, path: string) => {
    const given = valueAt(playbook, path);
    const isShown = typeof given === "string" || typeof given === "number";
    return isShown ? `${member} is ${JSON.stringify(given).slice(0, 80)}, and` : member;
  });
}

/** Returns the value at a path such as `rule.kinds[0]`. */
function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const [name] of path.matchAll(/\w+/g)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
