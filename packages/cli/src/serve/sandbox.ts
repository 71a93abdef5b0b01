import type { ApiKey, NewKey } from "@riskgate/api-types";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { replaceFile } from "@riskgate/core/internal";
import type { AdminClient } from "../admin/admin-client.js";
import { namingOptions } from "../options/option-refusal.js";

/** The application of `serve --sandbox`, with what the administration API shows only once. */
export interface Sandbox {
  readonly applicationId: string;
  readonly apiKey: string;
  readonly reportKey: string;
  /** The one that signs now. */
  readonly signingSecret: string;
  /** During a rotation, the one that signs when it ends. */
  readonly nextSigningSecret?: string;
}

/** What a data directory keeps. */
export interface KeptSandbox extends Sandbox {
  /** The one that was generated; kept no longer than the sandbox. */
  readonly adminToken?: string;
}

/** Where it keeps that. */
export const SANDBOX_FILE = "sandbox.json";

/** How `serve` generates a token; any other text was not left by it. */
const GENERATED_TOKEN = /^[0-9a-f]{48}$/;

/** The service that has the sandbox, in this process. */
export interface SandboxHost {
  readonly client: AdminClient;
  /** Those that are valid, newest first: the last one signs. */
  readonly signingSecrets: (applicationId: string) => Promise<readonly string[]>;
}

/**
 * The sandbox that was kept, with its application's secrets and keys of today; or else a new one.
 *
 * @param settings What is given is set, in one that was kept as well.
 */
export async function openSandbox(
  host: SandboxHost,
  kept: Sandbox | undefined,
  settings: object,
): Promise<Sandbox> {
  return (kept && (await renewSandbox(host, kept, settings))) ?? makeSandbox(host, settings);
}

async function makeSandbox({ client }: SandboxHost, settings: object): Promise<Sandbox> {
  const { application, key, secret } = await applying(() =>
    client.call("POST /applications", {
      body: { name: "Sandbox", environment: "development", kind: "sandbox", ...settings },
    }),
  );
  const reportKey = await addKey(client, application.id, "report");
  return { applicationId: application.id, apiKey: key, reportKey, signingSecret: secret };
}

/** Replaces what was rotated or revoked since; undefined where the application was deleted. */
async function renewSandbox(
  { client, signingSecrets }: SandboxHost,
  { applicationId, apiKey, reportKey }: Sandbox,
  settings: object,
): Promise<Sandbox | undefined> {
  const keys = await keysOf(client, applicationId);
  if (!keys) return undefined;
  const isValid = (text: string, wanted: string): boolean =>
    keys.some(
      ({ hint, revokedAt, scope }) => revokedAt === null && scope === wanted && text.endsWith(hint),
    );
  if (Object.values(settings).some((value) => value !== undefined)) {
    await applying(() =>
      client.call("PATCH /applications/{id}", { parts: { id: applicationId }, body: settings }),
    );
  }
  const secrets = await signingSecrets(applicationId);
  return {
    applicationId,
    apiKey: isValid(apiKey, "lookup") ? apiKey : await addKey(client, applicationId, "lookup"),
    reportKey: isValid(reportKey, "report")
      ? reportKey
      : await addKey(client, applicationId, "report"),
    signingSecret: secrets.at(-1)!,
    ...(secrets.length > 1 && { nextSigningSecret: secrets.at(0)! }),
  };
}

async function addKey(
  client: AdminClient,
  id: string,
  scope: NonNullable<NewKey["scope"]>,
): Promise<string> {
  const { key } = await client.call("POST /applications/{id}/keys", {
    parts: { id },
    body: { scope },
  });
  return key;
}

async function keysOf(client: AdminClient, id: string): Promise<readonly ApiKey[] | undefined> {
  try {
    return (await client.call("GET /applications/{id}", { parts: { id } })).keys;
  } catch (error) {
    if (isRiskGateError(error) && error.status === 404) return undefined;
    throw error;
  }
}

/** Settings that the service refuses are wrong options of `serve`. */
async function applying<T>(apply: () => Promise<T>): Promise<T> {
  try {
    return await namingOptions(apply);
  } catch (error) {
    if (!isRiskGateError(error) || error.status !== 400) throw error;
    const { message, hint } = error;
    throw new RiskGateError("CONFIG_INVALID", message, { cause: error, hint });
  }
}

/** The sandbox in a file; undefined where there is none. */
export async function readSandbox(file: string): Promise<KeptSandbox | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, "utf8")) as Partial<KeptSandbox> | null;
    const { applicationId, apiKey, reportKey, signingSecret, adminToken } = kept ?? {};
    for (const member of [applicationId, apiKey, reportKey, signingSecret]) {
      if (typeof member !== "string") return undefined;
    }
    return {
      ...({ applicationId, apiKey, reportKey, signingSecret } as Sandbox),
      ...(typeof adminToken === "string" && GENERATED_TOKEN.test(adminToken) && { adminToken }),
    };
  } catch {
    // Not there, or not ours: a new one takes its place.
    return undefined;
  }
}

/** Keep a sandbox in its data directory, for its owner alone. */
export async function keepSandbox(directory: string, sandbox: KeptSandbox): Promise<void> {
  await replaceFile(join(directory, SANDBOX_FILE), [JSON.stringify(sandbox)], 0o600);
}
