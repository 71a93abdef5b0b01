import type { ServerResponse } from "node:http";
import type { ErrorBody } from "./error-body.js";

/** Seconds after which a client should retry if the service cannot answer. */
export const RETRY_AFTER = "2";

/**
 * Returns the headers of a JSON answer. It must not be cached: an assessment can change any time.
 */
export function jsonHeaders(text: string): Record<string, string | number> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** Answers with JSON text, without the framework. Headers that are already set are sent as well. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, jsonHeaders(text)).end(text);
}

/** Answers with a refusal. */
export function sendError(response: ServerResponse, body: ErrorBody): void {
  if (body.code === 503) response.setHeader("retry-after", RETRY_AFTER);
  sendJson(response, body.code, JSON.stringify(body));
}
