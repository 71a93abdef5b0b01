import type { Reply } from "@riskgate/core/adapter";
import type { Context } from "koa";

/** Write an answer of the core as it is. */
export function sendReply(context: Context, { status, headers, body }: Reply): void {
  context.status = status;
  if (body) context.body = body;
  // After the body, for which Koa sets its own type.
  context.set({ ...headers });
}
