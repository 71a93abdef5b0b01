import type { Reply } from "@riskgate/core/adapter";
import type { Context } from "koa";

/** Writes an answer of the core as it is. */
export function sendReply(context: Context, { status, headers, body }: Reply): void {
  // Before the status, which Koa would derive from it; left out, Koa writes the name of the status.
  context.body = body || null;
  context.status = status;
  // After the body, for which Koa sets its own type.
  context.set({ ...headers });
}
