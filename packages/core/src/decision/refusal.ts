import { startDeadline } from "../base/deadline.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { GatedRequest } from "./gated-request.js";
import type { Reply } from "../base/problem.js";

/** A refusal that the application writes, and what is sent where it does not. */
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
 * Let the application write a refusal, and send the default one where it throws or has not answered
 * in time. An answer that it has begun and cannot finish is cut off. Resolves once the request is
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
    const failed = (cause: unknown): void => {
      report(new RiskGateError("HOOK_FAILED", `\`${hook}\` failed`, { cause }));
      const { headersSent, writableEnded } = gated.response;
      // Nobody will end it: neither the hook nor, since the head is sent, the default answer.
      if (headersSent && !writableEnded) gated.response.destroy();
      end();
    };
    // A hook in callback style answers some time after it has returned.
    const returned = (answer: unknown): void => {
      gated.takeAnswer?.(answer);
      if (gated.isAnswered()) end();
    };
    const stopDeadline = startDeadline(timeoutMs, end);
    gated.response.once("close", end);
    new Promise((run) => run(write())).then(returned).catch(failed);
  });
}
