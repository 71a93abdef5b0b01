import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import { startDeadline } from "../base/time-limit.js";
import { after } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import type { GatedRequest } from "./gated-request.js";

/** Creates the reply to a refused request. Its decision can be found by `decisionId`. */
export function refusalOf(
  code: RefusalCode,
  { id, because }: Pick<Decision, "id" | "because">,
  headers?: Record<string, string>,
  members?: Readonly<Record<string, unknown>>,
): Reply {
  // No log contains a request whose email no lookup accepts.
  const found = because === "identifier_invalid" ? undefined : { decisionId: id };
  return problemReply(code, headers, { ...found, ...members });
}

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
