import type { Reply } from "@riskgate/core/web";

/** Converts a core reply to a `Response`. */
export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body === "" ? null : body, { status, headers });
}
