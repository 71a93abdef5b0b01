import { type BodyLimits, isRefusalCode, isRiskGateError, problemReply } from "@riskgate/core/web";
import { dropBody, readBody } from "./read-body.js";
import { responseOf } from "./response-of.js";

/** A copy of a body, or the answer to a request whose body is not taken. */
export type BodyCopy = { readonly bytes: Uint8Array } | { readonly answer: Response };

/**
 * Reads a copy of the body, so that what comes next can read it again.
 *
 * @returns No bytes where something has read the body before.
 */
export async function copyBody(request: Request, limits: BodyLimits): Promise<BodyCopy> {
  if (request.bodyUsed || request.body?.locked) return { bytes: new Uint8Array(0) };
  try {
    return { bytes: await readBody(request.clone(), limits) };
  } catch (error) {
    // The original keeps what its copy has read, for as long as it may still be read.
    dropBody(request);
    if (isRiskGateError(error) && isRefusalCode(error.code)) {
      return { answer: responseOf(problemReply(error.code)) };
    }
    throw error;
  }
}
