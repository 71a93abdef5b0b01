import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One request as it arrived. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: number;
}

export interface ReceiverOptions {
  /** Decides the answer; default 200 without a body. */
  readonly answer?: (response: ServerResponse, request: Received, index: number) => void;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly Received[];
  /** Connections accepted, also those without a request. */
  readonly connections: () => number;
  /** Sockets open now. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** Serve a scripted receiver on a free port until the test ends. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { answer = (response) => void response.end(), tls } = options;
  const requests: Received[] = [];
  let connections = 0;
  let open = 0;
  const server = tls ? createTlsServer(tls) : createServer();
  // Longer than any test: whether a connection is used again is for the sender to decide.
  server.keepAliveTimeout = 600_000;
  server.on("connection", (socket) => {
    connections++;
    open++;
    socket.on("close", () => open--);
  });
  server.on("request", (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url: path, headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks), atMs: Date.now() };
      requests.push(received);
      answer(response, received, requests.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http${tls ? "s" : ""}://127.0.0.1:${port}/hook`,
    port,
    requests,
    connections: () => connections,
    open: () => open,
    close,
  };
}

/** Ids of the events of a request, in order. */
export function idsOf({ body }: Received): string[] {
  return (JSON.parse(body.toString()) as { event_id: string }[]).map(({ event_id }) => event_id);
}
