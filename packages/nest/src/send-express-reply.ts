import type { ServerResponse } from "node:http";
import type { Reply } from "@riskgate/core/adapter";

/** Writes an answer of the core as it is, unless the request has been answered already. */
export function sendExpressReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (!response.headersSent) response.writeHead(status, headers).end(body);
}
