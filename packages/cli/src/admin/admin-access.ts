import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { ServiceOptions } from "@riskgate/service";
import type { Command } from "commander";
import { findAdminAddress } from "./admin-address.js";
import { type AdminClient, createAdminClient } from "./admin-client.js";
import { findDatabase } from "../options/database-url.js";
import { adminUrl, problemOfAdmin } from "../options/http-url.js";
import { ADMIN_TOKEN, requireSecret } from "../input/secret-source.js";
import { startService } from "../serve/service-module.js";
import type { Terminal } from "../terminal/terminal.js";

/** Options for every command that administers a service. */
export interface AdminOptions {
  readonly adminUrl?: URL;
  readonly adminTokenFile?: string;
  readonly dataDir?: string;
}

/** Default data directory. */
export const DEFAULT_DATA_DIR = "riskgate-data";

export function addAdminOptions(command: Command): Command {
  return command
    .option(
      "--admin-url <url>",
      "administration of a running service, or unix: and the path of its socket (else RISKGATE_ADMIN_URL)",
      adminUrl,
    )
    .option("--admin-token-file <file>", "file with its token (else RISKGATE_ADMIN_TOKEN)")
    .option(
      "--data-dir <directory>",
      `its data directory, with the service running or not (else RISKGATE_DATABASE_URL, RISKGATE_DATA_DIR, ${DEFAULT_DATA_DIR})`,
    );
}

export function dataDirOf({ dataDir }: AdminOptions, { env }: Terminal): string {
  return dataDir ?? (env["RISKGATE_DATA_DIR"] || DEFAULT_DATA_DIR);
}

/**
 * Calls the administration API of a running service. If none is running, starts one on the data
 * directory for this call, without deliveries.
 */
export async function withAdmin<T>(
  options: AdminOptions,
  terminal: Terminal,
  work: (client: AdminClient) => Promise<T>,
): Promise<T> {
  const running = await findRunning(options, terminal);
  return running ? work(running) : withServiceOn(placeOf(options, terminal), work);
}

/**
 * Calls the administration API of a running service, which can deliver.
 * @throws {RiskGateError} NETWORK if none is running on the data directory.
 */
export async function withRunning<T>(
  options: AdminOptions,
  terminal: Terminal,
  work: (client: AdminClient) => Promise<T>,
): Promise<T> {
  const running = await findRunning(options, terminal);
  if (running) return work(running);
  const message = `no service is running on the data directory ${dataDirOf(options, terminal)}`;
  throw new RiskGateError("NETWORK", message, {
    hint: "Start it with `riskgate serve`, or name a running one with --admin-url or --data-dir",
  });
}

/** Finds the service at the given URL, or the one that runs on the data directory. */
export async function findRunning(
  options: AdminOptions,
  terminal: Terminal,
): Promise<AdminClient | undefined> {
  const url = options.dataDir === undefined ? adminUrlOf(options, terminal) : undefined;
  if (url === undefined) return runningOn(dataDirOf(options, terminal));
  return createAdminClient(url, requireSecret(ADMIN_TOKEN, options.adminTokenFile, terminal));
}

function adminUrlOf(options: AdminOptions, { env }: Terminal): URL | undefined {
  const text = env["RISKGATE_ADMIN_URL"];
  if (options.adminUrl !== undefined || !text) return options.adminUrl;
  const problem = problemOfAdmin(text);
  if (problem === undefined) return new URL(text);
  throw new RiskGateError("CONFIG_INVALID", `RISKGATE_ADMIN_URL ${problem}`);
}

/** Finds the service that stored its address in a directory, if it is still running. */
export async function runningOn(dataDir: string): Promise<AdminClient | undefined> {
  const address = findAdminAddress(dataDir);
  if (address === undefined) return undefined;
  const client = createAdminClient(new URL(address.url), address.token, address.proofKey);
  try {
    await client.call("GET /applications");
    return client;
  } catch (error) {
    // A killed service cannot remove its address, and another process may use the port now. That
    // process has received only a nonce, because it could not send the proof.
    if (isRiskGateError(error)) return undefined;
    throw error;
  }
}

/** Prefers a named directory, then the database, then the default directory. */
function placeOf(
  options: AdminOptions,
  terminal: Terminal,
): Pick<ServiceOptions, "dataDir" | "database"> {
  const database = options.dataDir === undefined ? findDatabase(undefined, terminal) : undefined;
  if (database !== undefined) return { database };
  const dataDir = dataDirOf(options, terminal);
  if (existsSync(dataDir)) return { dataDir };
  throw new RiskGateError("CONFIG_INVALID", `the data directory ${dataDir} does not exist`, {
    hint: "Start `riskgate serve` once, or name a service with --admin-url or --data-dir",
  });
}

async function withServiceOn<T>(
  place: Pick<ServiceOptions, "dataDir" | "database">,
  work: (client: AdminClient) => Promise<T>,
): Promise<T> {
  const adminToken = randomBytes(24).toString("hex");
  const service = await startService({ ...place, adminToken, dispatch: false });
  try {
    const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    return await work(createAdminClient(new URL(adminUrl), adminToken));
  } finally {
    await service.close();
  }
}
