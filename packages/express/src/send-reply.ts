import type { Reply } from "@riskgate/core";
import type { Response } from "express";

/** Write an answer of the core as it is. */
export function sendReply(response: Response, { status, headers, body }: Reply): void {
  if (response.headersSent) return;
  response.status(status).set(headers).end(body);
}
