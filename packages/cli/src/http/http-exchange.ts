import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { RiskGateError } from "@riskgate/core";

const MAX_ANSWER_BYTES = 64 * 1024;

export interface HttpQuestion {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Time limit for the whole exchange, including the response body. */
  readonly timeoutMs: number;
  /** Maximum bytes of the response to read, default 64 KiB; the rest is ignored. */
  readonly maxAnswerBytes?: number;
  /** Makes the connection; by default each request has a new one. */
  readonly agent?: Agent;
  /** Path of the socket to which the agent connects, for errors; default the host of the URL. */
  readonly server?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The start of the body, up to `maxAnswerBytes`. */
  readonly text: string;
  readonly elapsedMs: number;
}

/**
 * Sends one request. An early response counts too, for example to a body that is too large.
 * @throws {RiskGateError} TIMEOUT, or NETWORK with the system's code as `cause.code`.
 */
export function exchange(url: URL, question: HttpQuestion): Promise<HttpAnswer> {
  const { method, headers = {}, body, timeoutMs, agent, server } = question;
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = question;
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const length = body && { "content-length": body.length };
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      method,
      headers: { ...headers, ...length },
      ...(agent && { agent }),
    });
    const fail = (error: RiskGateError): void => {
      clearTimeout(timer);
      reject(error);
      request.destroy();
    };
    const timer = setTimeout(() => {
      fail(
        new RiskGateError("TIMEOUT", `${server ?? url.host} did not answer within ${timeoutMs} ms`),
      );
    }, timeoutMs);
    // Never removed: a connection may fail again after the result is known.
    request.on("error", (error) => fail(networkError(url, server, error)));
    request.once("response", (response) => {
      readStart(response, maxAnswerBytes).then(
        (text) => {
          clearTimeout(timer);
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, elapsedMs: performance.now() - startedMs });
          if (!request.writableFinished || !response.readableEnded) request.destroy();
        },
        (error: unknown) => fail(networkError(url, server, error)),
      );
    });
    request.end(body);
  });
}

async function readStart(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

function networkError(url: URL, server: string | undefined, thrown: unknown): RiskGateError {
  // If a name has several addresses, the error of the first one counts.
  const error = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code ?? (error instanceof Error ? error.message : "unknown reason");
  const hint =
    server === undefined
      ? "Check the address, the network and the certificate"
      : "Check the path, and that the service is running; only its account can connect";
  const cause = error;
  return new RiskGateError("NETWORK", `${server ?? url.host} could not be reached: ${reason}`, {
    cause,
    hint,
  });
}
