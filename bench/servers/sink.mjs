import { createServer } from "node:http";

/** Accepts deliveries without reading them, because the sender is measured. */
export default function serve() {
  const server = createServer((request, response) => {
    request.on("data", () => {});
    request.on("end", () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
