import type { ServerResponse } from "node:http";
import type { ErrorBody } from "./error-body.js";

/** Seconds after which a client should retry if the service is unavailable. */
export const RETRY_AFTER = "2";

/**
 * Returns the headers of a JSON response. It must not be cached: an assessment can change at any time.
 */
export function jsonHeaders(text: string): Record<string, string | number> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** Sends JSON text without the framework, together with any headers already set. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, jsonHeaders(text)).end(text);
}

export function sendError(response: ServerResponse, body: ErrorBody): void {
  if (body.code === 503) response.setHeader("retry-after", RETRY_AFTER);
  sendJson(response, body.code, JSON.stringify(body));
}
