import type { ApiKey, NewKey } from "@riskgate/api-types";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { replaceFile } from "@riskgate/core/internal";
import type { AdminClient } from "../admin/admin-client.js";
import { namingOptions } from "../options/option-refusal.js";

/** The application of `serve --sandbox`, with its keys and secrets, which are shown only once. */
export interface Sandbox {
  readonly applicationId: string;
  readonly apiKey: string;
  readonly reportKey: string;
  readonly signingSecret: string;
  /** During a rotation, the secret that signs once the rotation has finished. */
  readonly nextSigningSecret?: string;
}

export interface KeptSandbox extends Sandbox {
  readonly adminToken?: string;
}

export const SANDBOX_FILE = "sandbox.json";

/** Format of a generated token; any other token was set by the user. */
const GENERATED_TOKEN = /^[0-9a-f]{48}$/;

export interface SandboxHost {
  readonly client: AdminClient;
  /** Returns the valid secrets, newest first; the last one signs. */
  readonly signingSecrets: (applicationId: string) => Promise<readonly string[]>;
}

/**
 * Opens the stored sandbox with its current keys and secrets, or creates a new one.
 * @param settings Settings for the application, including a stored one.
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

/** Replaces revoked keys and rotated secrets; undefined if the application was deleted. */
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

/** Reports settings that the service refuses as invalid options of `serve`. */
async function applying<T>(apply: () => Promise<T>): Promise<T> {
  try {
    return await namingOptions(apply);
  } catch (error) {
    if (!isRiskGateError(error) || error.status !== 400) throw error;
    const { message, hint } = error;
    throw new RiskGateError("CONFIG_INVALID", message, { cause: error, hint });
  }
}

/** Reads the sandbox in a file; undefined if the file is missing or invalid. */
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
    // A new file replaces a missing or foreign one.
    return undefined;
  }
}

export async function keepSandbox(directory: string, sandbox: KeptSandbox): Promise<void> {
  await replaceFile(join(directory, SANDBOX_FILE), [JSON.stringify(sandbox)], 0o600);
}
