import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { RiskGateError } from "@riskgate/core";

export type Lines = readonly (readonly [name: string, value: string])[];

export interface Probe {
  readonly sent: string;
  readonly method: string;
  /** Path and query, unchanged; default those of the URL. */
  readonly path?: string;
  /** `Host`, `Connection` and, unless there are trailers, `Content-Length` are added. */
  readonly headers: Lines;
  readonly body?: Uint8Array;
  readonly trailers?: Lines;
  /** Sends one byte of the body per interval, and never the last one. */
  readonly dripMs?: number;
}

/** A response. Redirects are not followed. */
export interface ProbeAnswer {
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly elapsedMs: number;
  /** Reason for a missing response: the connection closed, or time ran out. */
  readonly trouble?: "closed" | "timeout";
}

const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends a request over a new connection. A response counts even if it arrives before the whole
 * request was sent.
 * @throws {RiskGateError} NETWORK if no connection can be established.
 */
export function sendProbe(url: URL, probe: Probe, timeoutMs: number): Promise<ProbeAnswer> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let isConnected = false;
    let drip: NodeJS.Timeout | undefined;
    const request = open(url, probe);
    const end = (answer: Omit<ProbeAnswer, "elapsedMs">): void => {
      clearTimeout(timer);
      clearInterval(drip);
      resolve({ ...answer, elapsedMs: Math.round(performance.now() - startedMs) });
      request.destroy();
    };
    const without = (trouble: "closed" | "timeout"): void =>
      end({ headers: {}, text: "", trouble });
    const timer = setTimeout(() => without("timeout"), timeoutMs);
    request.once("socket", (socket) => {
      const event = url.protocol === "https:" ? "secureConnect" : "connect";
      socket.once(event, () => {
        isConnected = true;
        drip = write(request, probe);
      });
    });
    // Never removed: a connection may fail again after the result is known.
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (isConnected) return without("closed");
      clearTimeout(timer);
      reject(unreachable(url, error));
    });
    request.once("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      readStart(response).then(
        (text) => end({ status, headers, text }),
        () => without("closed"),
      );
    });
  });
}

function open(url: URL, { method, path, headers, body, trailers }: Probe): ClientRequest {
  const length = trailers
    ? ["Transfer-Encoding", "chunked"]
    : ["Content-Length", String(body?.length ?? 0)];
  const own = [["Host", url.host], ["Connection", "close"], ...(body ? [length] : [])];
  return (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
    method,
    agent: false,
    ...(path !== undefined && { path }),
    // In an array, names keep their case and may occur twice.
    headers: [...own, ...headers].flat(),
  });
}

function write(
  request: ClientRequest,
  { body, trailers, dripMs }: Probe,
): NodeJS.Timeout | undefined {
  if (body === undefined || dripMs === undefined) {
    if (trailers) request.addTrailers(Object.fromEntries(trailers));
    request.end(body);
    return undefined;
  }
  let at = 0;
  request.flushHeaders();
  return setInterval(() => {
    if (at < body.length - 1) request.write(body.subarray(at, ++at));
  }, dripMs);
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

function unreachable(url: URL, error: NodeJS.ErrnoException): RiskGateError {
  const reason = error.code ?? error.message;
  return new RiskGateError("NETWORK", `${url.host} could not be reached: ${reason}`, {
    cause: error,
    hint: "Check the address, and that the server is running",
  });
}
