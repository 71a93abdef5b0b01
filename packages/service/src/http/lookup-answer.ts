import type { ServerResponse } from "node:http";

/**
 * Answer 200 with JSON text.
 *
 * Straight to Node: of what the framework does with an answer nothing is left to do, and finding that
 * out would take it as long as the whole assessment takes.
 */
export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  response.end(text);
}
