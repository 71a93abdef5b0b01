import type { ServerResponse } from "node:http";
import type { ErrorBody } from "./error-body.js";

/** Seconds after which to ask again where the service cannot answer: it tries all the time. */
export const RETRY_AFTER = "2";

/** The headers of an answer of JSON. An assessment must not be cached: it can change at any time. */
export function jsonHeaders(text: string): Record<string, string | number> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** Answers with JSON text, past the framework. Headers that are already set are sent as well. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, jsonHeaders(text)).end(text);
}

/** Answers with a refusal. */
export function sendError(response: ServerResponse, body: ErrorBody): void {
  if (body.code === 503) response.setHeader("retry-after", RETRY_AFTER);
  sendJson(response, body.code, JSON.stringify(body));
}
