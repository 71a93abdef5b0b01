import type { IncomingMessage } from "node:http";
import type { WebhookOptions } from "../../src/webhook/endpoint.js";
import { createWebhookEndpoint } from "../../src/webhook/node-endpoint.js";
import { sign } from "../../src/webhook/signature.js";
import { openRaw, type RawAnswer } from "./raw-client.js";
import { serveReplies } from "./serve.js";
import { SECRET } from "./vectors.js";

/**
 * An endpoint on a port of its own, and what its handler was given.
 *
 * @param before What the host does to a request first; where it is not asynchronous, in the same tick.
 */
export async function mounted(
  options: Partial<WebhookOptions> = {},
  before?: (request: IncomingMessage) => unknown,
) {
  const handled: (string | undefined)[] = [];
  const endpoint = createWebhookEndpoint({
    secrets: SECRET,
    on: { test: ({ id }) => handled.push(id) },
    onError: () => {},
    ...options,
  });
  const requests: IncomingMessage[] = [];
  const port = await serveReplies((request) => {
    requests.push(request);
    const captured = before?.(request);
    if (!(captured instanceof Promise)) return endpoint.answer(request, captured);
    return captured.then((value) => endpoint.answer(request, value));
  });
  const send = async (...pieces: Buffer[]): Promise<RawAnswer> => {
    const connection = await openRaw(port);
    for (const piece of pieces) {
      connection.socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return connection.answer();
  };
  return { port, handled, requests, send };
}

/** Headers of a good delivery of this body. */
export function headersOf(
  body: Buffer,
  signature: string = sign(body, SECRET),
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    "X-Service-Integrity": signature,
  };
}
