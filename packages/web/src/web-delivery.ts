import type { DeliverySource } from "@riskgate/core/web";
import { dropBody, readBody } from "./read-body.js";

/** Reads deliveries from `Request` objects. */
export const WEB_REQUESTS: DeliverySource<Request> = {
  url: ({ url }) => url.slice(new URL(url).origin.length),
  header: ({ headers }, name) => headers.get(name) ?? undefined,
  isRead: ({ bodyUsed }) => bodyUsed,
  isTaken: ({ bodyUsed, body }) => bodyUsed || body?.locked === true,
  read: readBody,
  // The platform owns the connection, and decides what to do with an unread body.
  discard: drop,
  leave: drop,
};

function drop(request: Request): Record<string, string> {
  dropBody(request);
  return {};
}
