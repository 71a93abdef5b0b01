import type { ServerResponse } from "node:http";
import { errorBody, RATE_LIMITED, UNAUTHORIZED } from "../error-body.js";
import { sendError, sendJson } from "../send-json.js";
import type { SandboxFault } from "../../lookups/sandbox-answer.js";

/** Interval between the bytes of a slow body. */
const DRIP_MS = 50;

/** How long a slow response stays open: longer than a client should wait. */
const HOLD_MS = 30_000;

/** A URL whose host cannot exist, because RFC 2606 reserves the name. */
const ELSEWHERE = "https://redirected.invalid/";

type Answer = (response: ServerResponse, text: string) => void;

const ANSWERS: Readonly<Record<SandboxFault, Answer>> = {
  unauthorized: (response) => sendError(response, UNAUTHORIZED),
  rate_limited: (response) => sendError(response.setHeader("retry-after", "1"), RATE_LIMITED),
  server_error: (response) => sendError(response, errorBody(503, "Out of order")),
  redirect: (response) => void response.writeHead(302, { location: ELSEWHERE }).end(),
  broken_json: (response, text) => sendJson(response, 200, text.slice(0, -5)),
  slow_headers: hold,
  slow_body: drip,
  reset: ({ socket }) => void socket?.resetAndDestroy(),
};

/**
 * Responds with a fault.
 *
 * @param text JSON text of the response without the fault.
 */
export function applyFault(response: ServerResponse, fault: SandboxFault, text: string): void {
  ANSWERS[fault](response, text);
}

/** Leaves the connection open for a while, then closes it without another byte. */
function hold(response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), HOLD_MS);
  response.once("close", () => clearTimeout(timer));
}

function drip(response: ServerResponse, text: string): void {
  // Without `content-length`, because a body shorter than its length is a different fault.
  response.writeHead(200, { "content-type": "application/json" });
  // The response to a HEAD request has no body that could be slow.
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.flushHeaders();
  let at = 0;
  const timer = setInterval(() => response.write(text.charAt(at++) || " "), DRIP_MS);
  response.once("close", () => clearInterval(timer));
  hold(response);
}
