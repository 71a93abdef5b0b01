import { readFile } from "node:fs/promises";
import { RiskGateError } from "@riskgate/core";
import { jsonProblem, parseShallowJson } from "@riskgate/core/internal";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/** Returns the error for a file or directory that could not be read, with the reason. */
export function unreadable(
  what: string,
  cause: unknown,
  hint = "Check the path and the permissions of the file",
): RiskGateError {
  const { code = "unknown reason" } = cause as NodeJS.ErrnoException;
  return new RiskGateError("CONFIG_INVALID", `${what} cannot be read: ${REASONS[code] ?? code}`, {
    cause,
    hint,
  });
}

/**
 * Reads a JSON file.
 *
 * @throws {RiskGateError} CONFIG_INVALID if the file cannot be read or is not JSON.
 */
export async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw unreadable(`the file ${file}`, cause);
  }
  return parseJson(text, file);
}

/**
 * Parses JSON.
 *
 * @throws {RiskGateError} CONFIG_INVALID, with line and column, for any other text.
 */
export async function parseJson(text: string, file: string): Promise<unknown> {
  try {
    return parseShallowJson(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const { reason = "expected JSON", line, column } = (await jsonProblem(text)) ?? {};
    const place = line === undefined ? "" : `:${line}:${column}`;
    throw new RiskGateError("CONFIG_INVALID", `${file}${place}: ${reason}`, {
      cause,
      hint: "Correct the file; nothing was done",
    });
  }
}
