import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One request as it came in. */
export interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Serve for the length of the test; the URL ends with a slash. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Serve a receiver that keeps what comes, and answers in turn what it is given. */
export async function serveReceiver(
  ...answers: readonly { status: number; headers?: Record<string, string> }[]
): Promise<{ url: string; received: readonly Received[] }> {
  const received: Received[] = [];
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      const { status, headers } = answers.at((received.length - 1) % answers.length)!;
      response.writeHead(status, headers).end();
    });
  });
  return { url, received };
}

/** A URL on this machine where nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}
