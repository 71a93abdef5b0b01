import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RiskGateError } from "@riskgate/core";

/** Port and host, and the prefix of their option names; default `--`. */
type ListenArguments = readonly [port: number, host: string, prefix?: "--" | "--admin-"];

/**
 * Starts listening, and returns the URL.
 *
 * @throws {RiskGateError} CONFIG_INVALID if the port or address is not available.
 */
export function listenOn(
  server: Server,
  ...[port, host, prefix = "--"]: ListenArguments
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const message = `cannot listen on ${host}, port ${port}: ${cause.code ?? cause.message}`;
      const hint =
        cause.code === "EADDRINUSE" || cause.code === "EACCES"
          ? `Choose another ${prefix}port, or 0 for a free one`
          : `Choose an address on this machine as ${prefix}host, such as 127.0.0.1`;
      reject(new RiskGateError("CONFIG_INVALID", message, { cause, hint }));
    });
    server.listen(port, host, () => {
      const { address, family, port } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
    });
  });
}

export async function checkPort(...address: ListenArguments): Promise<void> {
  const server = createServer();
  await listenOn(server, ...address);
  await closeServer(server);
}

export function localUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
