import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { Reply } from "../base/problem.js";
import { startDeadline } from "../base/time-limit.js";
import { after } from "../model/awaitable.js";
import type { GatedRequest } from "./gated-request.js";

/** A refusal that the application writes, and the reply if it does not. */
export interface Refusal {
  readonly gated: Pick<GatedRequest, "response" | "isAnswered" | "sendReply" | "takeAnswer">;
  /** Name of the hook, for the messages. */
  readonly hook: "onReject" | "onChallenge";
  readonly write: () => unknown;
  readonly reply: Reply;
  /** How long the hook may take. */
  readonly timeoutMs: number;
  readonly report: ErrorHook;
}

/**
 * Calls the hook that writes a refusal, and sends the reply if the hook throws or has not answered in
 * time. An answer that the hook has begun and cannot finish is cut off. Resolves once the request is
 * answered.
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
      // Neither the hook nor, since the head is sent, the reply will end the answer.
      if (result === "failed" && headersSent && !writableEnded) gated.response.destroy();
      // A hook in callback style answers some time after it has returned.
      if (result === "failed" || gated.isAnswered()) end();
    });
  });
}
