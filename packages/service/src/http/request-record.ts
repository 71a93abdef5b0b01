import type { IncomingMessage, ServerResponse } from "node:http";
import { LOOKUP_PATHS, readLookupPath } from "./lookup-path.js";

/** What a log may know of a request: never its path, which names an address or an account. */
export interface RequestRecord {
  readonly method: string;
  /** The route with placeholders, such as `/v1/ips/{ip}`; undefined where there is none. */
  readonly route: string | undefined;
  /** Undefined when the client left before it was answered. */
  readonly status: number | undefined;
  readonly durationMs: number;
}

const LOOKUP_ROUTES = { ip: `${LOOKUP_PATHS.ip}{ip}`, email: `${LOOKUP_PATHS.email}{email}` };

/** Records one request when its answer is sent, or its connection is gone. */
export function recordRequest(
  { method = "GET", url = "" }: IncomingMessage,
  response: ServerResponse,
  routeOf: () => string | undefined,
  record: (request: RequestRecord) => void,
): void {
  const startedMs = performance.now();
  response.once("close", () => {
    const lookup = readLookupPath(url);
    record({
      method,
      route: lookup ? LOOKUP_ROUTES[lookup.type] : routeOf(),
      status: response.writableFinished ? response.statusCode : undefined,
      durationMs: performance.now() - startedMs,
    });
  });
}
