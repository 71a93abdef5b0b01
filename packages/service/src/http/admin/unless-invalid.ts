import { isRiskGateError } from "@riskgate/core";

/** Returns the result, or undefined if the identifier cannot be looked up. */
export async function unlessInvalid<T>(explained: Promise<T>): Promise<T | undefined> {
  try {
    return await explained;
  } catch (error) {
    if (isRiskGateError(error) && error.code === "INVALID_ARGUMENT") return undefined;
    throw error;
  }
}
