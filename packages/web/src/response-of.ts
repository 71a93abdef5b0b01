import type { Reply } from "@riskgate/core/web";

/** An answer of the core as a `Response`. */
export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body === "" ? null : body, { status, headers });
}
