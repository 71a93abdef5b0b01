import type { Deadlines } from "../base/deadline.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { GatedRequest } from "./gated-request.js";
import type { Reply } from "../base/problem.js";

/**
 * Let the application write a refusal, and write the default one where it throws or has not answered
 * in time. Resolves once the request is answered.
 */
export function refuseWith(
  hook: () => unknown,
  gated: Pick<GatedRequest, "response" | "isAnswered" | "refuse">,
  reply: Reply,
  deadlines: Deadlines,
  report: ErrorHook,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stop();
      gated.response.off("close", end);
      if (!gated.isAnswered() && !gated.response.destroyed) gated.refuse(reply);
      resolve();
    };
    const failed = (cause: unknown): void => {
      report(new RiskGateError("HOOK_FAILED", "`onReject` failed", { cause }));
      end();
    };
    // A hook in callback style answers some time after it has returned.
    const returned = (): void => {
      if (gated.isAnswered()) end();
    };
    const stop = deadlines.start(end);
    gated.response.once("close", end);
    new Promise((run) => run(hook())).then(returned, failed);
  });
}
