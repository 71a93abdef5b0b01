import type { Service } from "@riskgate/service";
import { type Command, Option } from "commander";
import { checkPort } from "../http/server-address.js";
import { wholeNumber } from "../options/command-context.js";

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly adminPort?: number;
  readonly adminHost: string;
  readonly adminSocket?: string;
}

type ListenAddress = Parameters<Service["listen"]>[0];

const ADMIN_PORT = 8081;

/** Adds the options for where the service listens. */
export function addListenOptions(command: Command): Command {
  return command
    .option("--port <n>", "port; 0 chooses a free one", wholeNumber(0, 65_535), 8080)
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option(
      "--admin-port <n>",
      `port of administration, console and metrics (default ${ADMIN_PORT}, or a free one with --port 0)`,
      wholeNumber(0, 65_535),
    )
    .option("--admin-host <host>", "address of that port", "127.0.0.1")
    .addOption(
      new Option(
        "--admin-socket <path>",
        "Unix socket to use instead of that port; only this account can connect",
      ).conflicts(["adminPort", "adminHost"]),
    );
}

/** Returns the address that the service takes. */
export function listenAddressOf(options: ListenOptions): ListenAddress {
  const { port, host, adminPort = port && ADMIN_PORT, adminHost, adminSocket } = options;
  return adminSocket === undefined
    ? { port, host, adminPort, adminHost }
    : { port, host, adminSocket };
}

/** @throws {RiskGateError} CONFIG_INVALID if a port is not available. */
export async function checkPorts(options: ListenOptions): Promise<void> {
  const { port, host, adminPort, adminHost } = listenAddressOf(options);
  await checkPort(port, host);
  if (adminPort !== undefined && adminHost !== undefined) {
    await checkPort(adminPort, adminHost, "--admin-");
  }
}
