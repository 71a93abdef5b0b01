import type { RiskGateError } from "./errors.js";
import { warn } from "./warning.js";

/** Receives each error that an answer to a stranger must not show. */
export type ErrorHook = (error: RiskGateError) => void;

/**
 * Makes the function that reports errors: to the application's hook, or, without one, as a process
 * warning at most every 10 seconds. The warning names only the code, because the message of what was
 * thrown may quote a body.
 */
export function createErrorReport(hook: ErrorHook | undefined): ErrorHook {
  return (error) => {
    if (!hook) {
      warn(
        "RISKGATE_UNREPORTED_ERROR",
        `riskgate met ${error.code}. ${error.hint}. Set the option \`onError\` to see each error`,
        10_000,
      );
      return;
    }
    void tell(hook, error);
  };
}

/** Calls a hook that may be asynchronous; it settles whatever the hook does. */
async function tell(hook: (error: RiskGateError) => unknown, error: RiskGateError): Promise<void> {
  try {
    await hook(error);
  } catch {
    // A hook that reports errors has nowhere to report its own.
  }
}
