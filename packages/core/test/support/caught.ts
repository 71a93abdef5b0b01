import { RiskGateError } from "../../src/errors.js";

/** The error a promise rejects with; fails when it resolves or rejects with another kind. */
export async function caught(promise: Promise<unknown>): Promise<RiskGateError> {
  const outcome: unknown = await promise.then(
    () => new Error("resolved"),
    (error: unknown) => error,
  );
  if (outcome instanceof RiskGateError) return outcome;
  throw outcome;
}
