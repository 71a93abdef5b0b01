import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Reply } from "../../src/base/problem.js";

/** Serve on a free port until the test ends; the port. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Serve with a function from requests to replies. */
export function serveReplies(reply: (request: IncomingMessage) => Promise<Reply>): Promise<number> {
  return serve((request, response) => {
    void reply(request).then(({ status, headers, body }) => {
      response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
      response.end(body);
    });
  });
}
