import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of lists on the own machine. */
export interface FeedServer {
  readonly origin: string;
  /** Paths and validators of the requests so far. */
  readonly requests: { path: string; etag?: string; since?: string }[];
  /** What it answers from now on. */
  answer: RequestListener;
  close(): Promise<void>;
}

/** Start a server of lists. */
export async function startFeedServer(): Promise<FeedServer> {
  const http = createServer((request, response) => {
    const { "if-none-match": etag, "if-modified-since": since } = request.headers;
    server.requests.push({
      path: request.url ?? "",
      ...(etag !== undefined && { etag }),
      ...(since !== undefined && { since }),
    });
    server.answer(request, response);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const server: FeedServer = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    answer: (_, response) => response.end(),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
