import type { RawAnswer } from "./raw-answer.js";
import { openRawConnection } from "./raw-connection.js";

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** `Host` is added, and so is `Content-Length` unless a length or coding is given here. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  readonly trailers?: readonly (readonly [name: string, value: string])[];
}

export function rawRequestBytes(request: RawRequest): Buffer {
  const { method = "POST", path, headers = [], trailers } = request;
  const body = Buffer.from(request.body ?? "");
  const has = (name: string): boolean => headers.some(([key]) => key.toLowerCase() === name);
  const framing: [string, string][] = [];
  if (trailers) framing.push(["Transfer-Encoding", "chunked"]);
  else if (!has("content-length") && !has("transfer-encoding")) {
    framing.push(["Content-Length", String(body.length)]);
  }
  const lines = [["Host", "localhost"] as const, ...headers, ...framing];
  const head = `${method} ${path} HTTP/1.1\r\n${textOf(lines)}\r\n`;
  if (!trailers) return Buffer.concat([Buffer.from(head, "latin1"), body]);
  const size = body.length > 0 ? `${body.length.toString(16)}\r\n` : "";
  const tail = `${body.length > 0 ? "\r\n" : ""}0\r\n${textOf(trailers)}\r\n`;
  return Buffer.concat([Buffer.from(head + size, "latin1"), body, Buffer.from(tail, "latin1")]);
}

export async function rawRequest(port: number, request: RawRequest): Promise<RawAnswer> {
  const connection = await openRawConnection(port);
  try {
    connection.write(rawRequestBytes(request));
    return await connection.answer(request.method);
  } finally {
    connection.destroy();
  }
}

function textOf(lines: readonly (readonly [name: string, value: string])[]): string {
  return lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
}
