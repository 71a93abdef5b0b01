import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { RiskGateError } from "@riskgate/core";
import { dataDirOf } from "../admin/admin-access.js";
import { findAdminAddress } from "../admin/admin-address.js";
import { problemOf } from "../options/http-url.js";
import { readSandbox, SANDBOX_FILE } from "../serve/sandbox.js";
import { API_KEY, findSecret, REPORT_KEY, SIGNING_SECRET } from "../input/secret-source.js";
import type { Terminal } from "../terminal/terminal.js";

export interface Access {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly reportKey: string | undefined;
  readonly signingSecret: string | undefined;
}

export interface AccessOptions {
  readonly baseUrl?: URL;
  readonly apiKeyFile?: string;
  readonly secretFile?: string;
  readonly sandboxFile?: string;
}

export const VARIABLES: Readonly<Record<keyof Access, string>> = {
  baseUrl: "RISKGATE_BASE_URL",
  apiKey: "RISKGATE_API_KEY",
  reportKey: REPORT_KEY.variable,
  signingSecret: SIGNING_SECRET.variable,
};

/**
 * Finds the address and credentials of the service: in the options, a sandbox file, the project's
 * `.env`, the environment, or the sandbox running on the data directory.
 * @param envText The project's `.env`.
 * @throws {RiskGateError} CONFIG_INVALID for a file that contains none of them.
 */
export async function findAccess(
  { baseUrl, apiKeyFile, secretFile, sandboxFile }: AccessOptions,
  envText: string,
  terminal: Terminal,
): Promise<Access> {
  const kept = parseEnv(envText);
  const { env } = terminal;
  const named = sandboxFile === undefined ? undefined : await sandboxAt(sandboxFile);
  if (sandboxFile !== undefined && !named) {
    throw new RiskGateError("CONFIG_INVALID", `expected the sandbox of a service: ${sandboxFile}`, {
      hint: "Start `riskgate serve --sandbox --data-dir DIR`; the file is DIR/sandbox.json",
    });
  }
  const known: Access = {
    baseUrl: baseUrl ? textOf(baseUrl) : (named?.baseUrl ?? urlIn(kept) ?? urlIn(env)),
    apiKey:
      apiKeyFile === undefined
        ? (named?.apiKey ?? (kept[VARIABLES.apiKey] || findSecret(API_KEY, undefined, terminal)))
        : findSecret(API_KEY, apiKeyFile, terminal),
    reportKey:
      named?.reportKey ??
      (kept[VARIABLES.reportKey] || findSecret(REPORT_KEY, undefined, terminal)),
    signingSecret:
      secretFile === undefined
        ? (named?.signingSecret ??
          (kept[VARIABLES.signingSecret] || findSecret(SIGNING_SECRET, undefined, terminal)))
        : findSecret(SIGNING_SECRET, secretFile, terminal),
  };
  if (Object.values(known).some((value) => value !== undefined)) return known;
  const file = join(dataDirOf({}, terminal), SANDBOX_FILE);
  const running = await sandboxAt(file);
  return running?.baseUrl === undefined ? known : running;
}

/** Reads the sandbox in a file; its URL is known while it is running. */
async function sandboxAt(file: string): Promise<Access | undefined> {
  const sandbox = await readSandbox(file);
  if (!sandbox) return undefined;
  const { apiKey, reportKey, signingSecret } = sandbox;
  const baseUrl = findAdminAddress(dirname(file))?.baseUrl;
  return { baseUrl, apiKey, reportKey, signingSecret };
}

function urlIn(variables: Readonly<Record<string, string | undefined>>): string | undefined {
  const text = variables[VARIABLES.baseUrl];
  return text ? checkUrl(text) : undefined;
}

/** Checks the base URL of a service. @throws {RiskGateError} CONFIG_INVALID */
export function checkUrl(text: string): string {
  const problem = problemOf(text);
  if (problem === undefined) return textOf(new URL(text));
  throw new RiskGateError("CONFIG_INVALID", `the base URL of the service ${problem}`);
}

function textOf({ href }: URL): string {
  return href.replace(/\/$/, "");
}
