import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRiskGateError } from "@riskgate/core";
import { replaceFile } from "@riskgate/core/adapter";
import type { AdminApi } from "./admin-api.js";

/** The application of `serve --sandbox`, with what is shown only once, when it is made. */
export interface Sandbox {
  readonly applicationId: string;
  readonly apiKey: string;
  readonly reportKey: string;
  readonly signingSecret: string;
}

/** Where a data directory keeps it. */
export const SANDBOX_FILE = "sandbox.json";

/**
 * The sandbox of an earlier start on the same directory, or else a new one, which the directory keeps
 * in a file for its owner alone.
 *
 * @param directory Undefined for a sandbox that nothing keeps.
 * @param settings What is given is set, in one that is kept as well.
 */
export async function openSandbox(
  api: AdminApi,
  directory: string | undefined,
  settings: object,
): Promise<Sandbox> {
  const file = directory === undefined ? undefined : join(directory, SANDBOX_FILE);
  const kept = file === undefined ? undefined : await readSandbox(file);
  if (kept && (await isUsable(api, kept))) {
    if (Object.values(settings).some((value) => value !== undefined)) {
      await api.changeApplication(kept.applicationId, settings);
    }
    return kept;
  }
  const made = await makeSandbox(api, settings);
  if (file !== undefined) await replaceFile(file, [JSON.stringify(made)], 0o600);
  return made;
}

async function makeSandbox(api: AdminApi, settings: object): Promise<Sandbox> {
  const { application, key, secret } = await api.createApplication({
    name: "Sandbox",
    environment: "development",
    kind: "sandbox",
    ...settings,
  });
  const reportKey = await api.addKey(application.id, "report");
  return { applicationId: application.id, apiKey: key, reportKey, signingSecret: secret };
}

/** The sandbox in a file; undefined where there is none. */
export async function readSandbox(file: string): Promise<Sandbox | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, "utf8")) as Partial<Sandbox> | null;
    const members = [kept?.applicationId, kept?.apiKey, kept?.reportKey, kept?.signingSecret];
    return members.every((member) => typeof member === "string") ? (kept as Sandbox) : undefined;
  } catch {
    // Not there, or not ours: a new one takes its place.
    return undefined;
  }
}

/** Whether the application is still there, with both keys. */
async function isUsable(api: AdminApi, kept: Sandbox): Promise<boolean> {
  try {
    const { keys } = await api.showApplication(kept.applicationId);
    return [kept.apiKey, kept.reportKey].every((text) =>
      keys.some(({ hint, revokedAt }) => revokedAt === null && text.endsWith(hint)),
    );
  } catch (error) {
    if (isRiskGateError(error) && error.status === 404) return false;
    throw error;
  }
}
