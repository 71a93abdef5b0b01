import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { RiskGateError } from "@riskgate/core";

/** Header lines as they are on the wire. */
export type Lines = readonly (readonly [name: string, value: string])[];

/** One request. */
export interface Probe {
  /** Description for a report. */
  readonly sent: string;
  readonly method: string;
  /** Path and query as they are on the wire; default those of the URL. */
  readonly path?: string;
  /** `Host`, `Connection` and, unless there are trailers, `Content-Length` are added. */
  readonly headers: Lines;
  readonly body?: Uint8Array;
  /** Send the body in chunks, with these trailers. */
  readonly trailers?: Lines;
  /** Send one byte of the body each time this has passed, and never the last. */
  readonly dripMs?: number;
}

/** What came back. Redirects are not followed. */
export interface ProbeAnswer {
  /** Undefined without an answer. */
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  /** At most 64 KiB of the body. */
  readonly text: string;
  readonly elapsedMs: number;
  /** Reason for a missing answer: the connection ended, or the time did. */
  readonly trouble?: "closed" | "timeout";
}

const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends a request over a new connection. An answer counts also when it comes before the
 * request was sent whole.
 *
 * @throws {RiskGateError} NETWORK when no connection can be made.
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
    // Stays until the end: a connection may break once more after everything is settled.
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
    // As a list, names keep their case and may come twice.
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
