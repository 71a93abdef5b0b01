import type { ServerResponse } from "node:http";
import type { ErrorBody } from "./error-body.js";

/** Headers of an answer of JSON. What is known of somebody today is not what is known tomorrow. */
export function jsonHeaders(text: string): Record<string, string | number> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** Answer with JSON text, straight to Node. Headers that are already set go with it. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  const headers = jsonHeaders(text);
  response.writeHead(status, headers);
  // Nearly every answer is ASCII, which is Latin-1 as well, and that is written without a look at
  // each character, in a third of the room.
  response.end(text, headers["content-length"] === text.length ? "latin1" : "utf8");
}

/** Answer with a refusal. */
export function sendError(response: ServerResponse, body: ErrorBody): void {
  sendJson(response, body.code, JSON.stringify(body));
}
