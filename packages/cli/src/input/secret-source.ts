import { readFileSync } from "node:fs";
import { RiskGateError } from "@riskgate/core";
import { readInput } from "./input.js";
import { unreadable } from "./read-json.js";
import type { Terminal } from "../terminal/terminal.js";

/** Sources of a secret. Arguments are not a source: every user on the machine can list them. */
export interface SecretSource {
  readonly what: string;
  readonly variable: string;
  readonly option: string;
  readonly form?: RegExp;
  /** Minimum length of a new secret, as required by the service. */
  readonly minBytes?: number;
}

/** Characters that a header allows. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

export const API_KEY: SecretSource = {
  what: "API key",
  variable: "RISKGATE_API_KEY",
  option: "--api-key-file",
  form: VISIBLE_ASCII,
};

export const REPORT_KEY: SecretSource = {
  what: "report key",
  variable: "RISKGATE_REPORT_KEY",
  option: "--report-key-file",
  form: VISIBLE_ASCII,
};

export const SIGNING_SECRET: SecretSource = {
  what: "signing secret",
  variable: "RISKGATE_SIGNING_SECRET",
  option: "--secret-file",
};

export const ADMIN_TOKEN: SecretSource = {
  what: "administration token",
  variable: "RISKGATE_ADMIN_TOKEN",
  option: "--admin-token-file",
  form: VISIBLE_ASCII,
};

export const NEW_ADMIN_TOKEN: SecretSource = { ...ADMIN_TOKEN, minBytes: 16 };

export const METRICS_TOKEN: SecretSource = {
  what: "metrics token",
  variable: "RISKGATE_METRICS_TOKEN",
  option: "--metrics-token-file",
  form: VISIBLE_ASCII,
  minBytes: 16,
};

export const LOG_SECRET: SecretSource = {
  what: "log secret",
  variable: "RISKGATE_LOG_SECRET",
  option: "--secret-file",
  minBytes: 32,
};

/**
 * Reads a secret from its file, or from its environment variable. Removes one trailing line break
 * from a file, because editors often add one.
 * @throws {RiskGateError} CONFIG_INVALID if the file cannot be read or the secret is empty or too
 * short.
 */
export function findSecret(
  source: SecretSource,
  file: string | undefined,
  { env }: Pick<Terminal, "env">,
): string | undefined {
  const value = file === undefined ? env[source.variable] : readSecretFile(source, file);
  if (value === undefined) return undefined;
  const place = file === undefined ? `in ${source.variable}` : `in the file of ${source.option}`;
  return checkSecret(source, value, place);
}

/**
 * Reads a new secret from a file or, for `-`, from standard input. Ignores the variable, which
 * contains the current secret.
 * @throws {RiskGateError} CONFIG_INVALID if it cannot be read or is empty.
 */
export async function readNewSecret(
  source: SecretSource,
  file: string,
  terminal: Terminal,
): Promise<string> {
  const isFile = file !== "-";
  const text = isFile
    ? readSecretFile(source, file)
    : withoutLineBreak((await readInput(file, terminal)).toString("utf8"));
  return checkSecret(
    source,
    text,
    `in ${isFile ? `the file of ${source.option}` : "standard input"}`,
  );
}

function checkSecret(source: SecretSource, value: string, place: string): string {
  const refuse = (found: string): never => {
    throw new RiskGateError(
      "CONFIG_INVALID",
      `expected the ${source.what} ${place}, found ${found}`,
      { hint: `Set ${source.variable}, or name a file with ${source.option}` },
    );
  };
  if (value.trim() === "") return refuse("nothing");
  if (source.form && !source.form.test(value))
    return refuse("blanks or other characters that are not allowed");
  const { minBytes = 0 } = source;
  if (Buffer.byteLength(value) < minBytes) return refuse(`less than ${minBytes} bytes`);
  return value;
}

/** Reads a required secret. @throws {RiskGateError} CONFIG_INVALID if it is missing. */
export function requireSecret(
  source: SecretSource,
  file: string | undefined,
  terminal: Pick<Terminal, "env">,
): string {
  const secret = findSecret(source, file, terminal);
  if (secret !== undefined) return secret;
  throw new RiskGateError("CONFIG_INVALID", `the ${source.what} is missing`, {
    hint: `Set ${source.variable}, or name a file with ${source.option}`,
  });
}

function readSecretFile({ option }: SecretSource, file: string): string {
  try {
    return withoutLineBreak(readFileSync(file, "utf8"));
  } catch (cause) {
    throw unreadable(`the file of ${option} ${file}`, cause);
  }
}

/** Removes one trailing line break from a file, because editors often add one. */
function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}
