import type { RiskGateError } from "./errors.js";
import { warn } from "./warning.js";

/** Receives errors whose details must not appear in a response. */
export type ErrorHook = (error: RiskGateError) => void;

/**
 * Creates the function that reports errors: to the application's hook or, without one, as a process
 * warning at most every 10 seconds. The warning contains only the code, because the message of a
 * thrown error may quote a body.
 */
export function createErrorReport(hook: ErrorHook | undefined): ErrorHook {
  return (error) => {
    if (!hook) {
      warn(
        "RISKGATE_UNREPORTED_ERROR",
        `riskgate reported ${error.code}. ${error.hint}. Set the option \`onError\` to see each error`,
        10_000,
      );
      return;
    }
    void tell(hook, error);
  };
}

/** Calls a hook that may be asynchronous; never rejects. */
async function tell(hook: (error: RiskGateError) => unknown, error: RiskGateError): Promise<void> {
  try {
    await hook(error);
  } catch {
    // Errors thrown by the error hook cannot be reported anywhere.
  }
}
