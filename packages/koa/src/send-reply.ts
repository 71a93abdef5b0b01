import type { Reply } from "@riskgate/core/adapter";
import type { Context } from "koa";

export function sendReply(context: Context, { status, headers, body }: Reply): void {
  // Set before the status, which Koa would derive from it; without a body, Koa sends default text.
  context.body = body || null;
  context.status = status;
  // Set after the body, for which Koa sets its own type.
  context.set({ ...headers });
}
