import type { DeliverySource } from "@riskgate/core/web";
import { dropBody, readBody } from "./read-body.js";

/** Reads deliveries that come as a `Request`. */
export const WEB_REQUESTS: DeliverySource<Request> = {
  header: ({ headers }, name) => headers.get(name) ?? undefined,
  isRead: ({ bodyUsed }) => bodyUsed,
  isTaken: ({ bodyUsed, body }) => bodyUsed || body?.locked === true,
  read: readBody,
  // The connection is the platform's: it decides about a body that nobody reads.
  discard: drop,
  leave: drop,
};

function drop(request: Request): Record<string, string> {
  dropBody(request);
  return {};
}
