import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServedApp } from "../adapter/adapter-harness.js";

export function serveHttp(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  host = "127.0.0.1",
): Promise<ServedApp> {
  const server = createServer((request, response) => void listener(request, response));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: async () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
