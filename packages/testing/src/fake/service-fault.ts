import type { ServerResponse } from "node:http";

/**
 * Fault of a fake service: no response, a body that never ends, a reset connection, a refusal, or
 * an invalid response.
 */
export const SERVICE_FAULTS = [
  "slow_headers",
  "slow_body",
  "reset",
  "unauthorized",
  "rate_limited",
  "server_error",
  "broken_json",
  "redirect",
] as const;

export type ServiceFault = (typeof SERVICE_FAULTS)[number];

/** Pause between the bytes of a slow body, in milliseconds. */
const DRIP_MS = 50;

/**
 * Performs a fault.
 * @param text The response without the fault.
 */
export function writeFault(response: ServerResponse, fault: ServiceFault, text: string): void {
  switch (fault) {
    case "slow_headers":
      return;
    case "slow_body":
      drip(response, text);
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "unauthorized":
      writeError(response, 401, "Invalid API key");
      return;
    case "rate_limited":
      response.setHeader("retry-after", "1");
      writeError(response, 429, "Too many requests");
      return;
    case "server_error":
      writeError(response, 503, "Out of order");
      return;
    case "broken_json":
      response.writeHead(200, { "content-type": "application/json" });
      response.end(text.slice(0, -5));
      return;
    case "redirect":
      response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
  }
}

/** Sends the service's error body, which has exactly these six members. */
export function writeError(response: ServerResponse, status: number, details: string): void {
  const error = status === 400 ? "Invalid request" : details;
  const body = { code: status, details, errno: status, error, info: "", message: details };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function drip(response: ServerResponse, text: string): void {
  // Without a length, which a client could refuse before it waits.
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  let at = 0;
  const timer = setInterval(() => response.write(text.charAt(at++) || " "), DRIP_MS);
  response.once("close", () => clearInterval(timer));
}
