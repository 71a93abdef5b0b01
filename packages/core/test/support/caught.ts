import { RiskGateError } from "../../src/base/errors.js";

/** The error a promise rejects with; fails when it resolves or rejects with another kind. */
export async function caught(promise: Promise<unknown>): Promise<RiskGateError> {
  const outcome: unknown = await promise.then(
    () => new Error("resolved"),
    (error: unknown) => error,
  );
  if (outcome instanceof RiskGateError) return outcome;
  throw outcome;
}

/** The error a call throws at once; fails when it returns or throws another kind. */
export function thrown(call: () => unknown): RiskGateError {
  try {
    call();
  } catch (error) {
    if (error instanceof RiskGateError) return error;
    throw error;
  }
  throw new Error("returned");
}
