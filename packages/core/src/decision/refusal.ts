import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { Reply } from "../base/problem.js";
import { startDeadline } from "../base/time-limit.js";
import { after } from "../model/awaitable.js";
import type { GatedRequest } from "./gated-request.js";

export interface Refusal {
  readonly gated: Pick<GatedRequest, "response" | "isAnswered" | "sendReply" | "takeAnswer">;
  readonly hook: "onReject" | "onChallenge";
  readonly write: () => unknown;
  readonly reply: Reply;
  /** Time limit for the hook, in milliseconds. */
  readonly timeoutMs: number;
  readonly report: ErrorHook;
}

/**
 * Calls the hook that writes a refusal, and sends the reply if the hook throws or does not respond
 * in time. Aborts a response that the hook started but did not finish. Resolves once a response has
 * been sent.
 */
export function writeRefusal(refusal: Refusal): Promise<void> {
  const { gated, hook, write, reply, timeoutMs, report } = refusal;
  return new Promise((resolve) => {
    const end = (): void => {
      stopDeadline();
      gated.response.off("close", end);
      if (!gated.isAnswered() && !gated.response.destroyed) gated.sendReply(reply);
      resolve();
    };
    const stopDeadline = startDeadline(timeoutMs, end);
    gated.response.once("close", end);
    const written = callHook<"failed" | undefined>(`\`${hook}\``, write, {
      report,
      expects: (answer) => gated.takeAnswer?.(answer) as undefined,
      otherwise: "failed",
    });
    void after(written, (result) => {
      const { headersSent, writableEnded } = gated.response;
      // The hook will not finish the response, and after its headers the reply cannot be sent.
      if (result === "failed" && headersSent && !writableEnded) gated.response.destroy();
      // A callback-style hook responds after it returns.
      if (result === "failed" || gated.isAnswered()) end();
    });
  });
}
