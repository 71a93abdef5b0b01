import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { ServiceOptions } from "@riskgate/service";
import type { Command } from "commander";
import { findAdminAddress } from "./admin-address.js";
import { type AdminClient, createAdminClient } from "./admin-client.js";
import { findDatabase } from "../options/database-url.js";
import { httpUrl, problemOf } from "../options/http-url.js";
import { ADMIN_TOKEN, requireSecret } from "../input/secret-source.js";
import { startService } from "../serve/service-module.js";
import type { Terminal } from "../terminal/terminal.js";

/** Options of every command that administers a service. */
export interface AdminOptions {
  readonly adminUrl?: URL;
  readonly adminTokenFile?: string;
  readonly dataDir?: string;
}

/** Where data is when nothing else is said. */
export const DEFAULT_DATA_DIR = "riskgate-data";

/** Add the options that say which service. */
export function addAdminOptions(command: Command): Command {
  return command
    .option("--admin-url <url>", "a running service (else RISKGATE_ADMIN_URL)", httpUrl)
    .option("--admin-token-file <file>", "file with its token (else RISKGATE_ADMIN_TOKEN)")
    .option(
      "--data-dir <directory>",
      `its data directory, with the service running or not (else RISKGATE_DATABASE_URL, RISKGATE_DATA_DIR, ${DEFAULT_DATA_DIR})`,
    );
}

/** Data directory that a command is about. */
export function dataDirOf({ dataDir }: AdminOptions, { env }: Terminal): string {
  return dataDir ?? (env["RISKGATE_DATA_DIR"] || DEFAULT_DATA_DIR);
}

/**
 * Administer a service by its administration API: one that runs, or else one that this process
 * starts on the data directory for the moment, which delivers nothing meanwhile.
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
 * Administer a service that runs, for what only one that delivers can do.
 *
 * @throws {RiskGateError} NETWORK when none runs on the data directory.
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

/** The service at the URL that was given, or the one that runs on the data directory. */
export async function findRunning(
  options: AdminOptions,
  terminal: Terminal,
): Promise<AdminClient | undefined> {
  const url = options.dataDir === undefined ? adminUrlOf(options, terminal) : undefined;
  if (url === undefined) return runningOn(dataDirOf(options, terminal));
  return createAdminClient(url, requireSecret(ADMIN_TOKEN, options.adminTokenFile, terminal));
}

function adminUrlOf({ adminUrl }: AdminOptions, { env }: Terminal): URL | undefined {
  const text = env["RISKGATE_ADMIN_URL"];
  if (adminUrl !== undefined || !text) return adminUrl;
  const problem = problemOf(text);
  if (problem === undefined) return new URL(text);
  throw new RiskGateError("CONFIG_INVALID", `RISKGATE_ADMIN_URL ${problem}`);
}

/** The service that has left its address in a directory, if it still runs. */
export async function runningOn(dataDir: string): Promise<AdminClient | undefined> {
  const address = findAdminAddress(dataDir);
  if (address === undefined) return undefined;
  const client = createAdminClient(new URL(address.url), address.token, address.proofKey);
  try {
    await client.call("GET /applications");
    return client;
  } catch (error) {
    // Killed, it could not take its address away, and somebody else may listen there by now: without
    // a proof, nothing but a nonce was sent.
    if (isRiskGateError(error)) return undefined;
    throw error;
  }
}

/** Where the data is: in a directory that is named, else in the database, else in a directory. */
function placeOf(
  options: AdminOptions,
  terminal: Terminal,
): Pick<ServiceOptions, "dataDir" | "database"> {
  const database = options.dataDir === undefined ? findDatabase(undefined, terminal) : undefined;
  if (database !== undefined) return { database };
  const dataDir = dataDirOf(options, terminal);
  if (existsSync(dataDir)) return { dataDir };
  throw new RiskGateError("CONFIG_INVALID", `there is no data directory ${dataDir}`, {
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
    const { url } = await service.listen({ port: 0, host: "127.0.0.1" });
    return await work(createAdminClient(new URL(url), adminToken));
  } finally {
    await service.close();
  }
}
