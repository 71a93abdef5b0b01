import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RiskGateError } from "@riskgate/core";

/**
 * Starts listening, and returns the URL.
 *
 * @throws {RiskGateError} CONFIG_INVALID if the port or address is not available.
 */
export function listenOn(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const message = `cannot listen on ${host}, port ${port}: ${cause.code ?? cause.message}`;
      const hint =
        cause.code === "EADDRINUSE" || cause.code === "EACCES"
          ? "Choose another --port, or 0 for a free one"
          : "Choose an address of this machine as --host, such as 127.0.0.1";
      reject(new RiskGateError("CONFIG_INVALID", message, { cause, hint }));
    });
    server.listen(port, host, () => {
      const { address, family, port } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
    });
  });
}

/** Stops listening, and closes all connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
