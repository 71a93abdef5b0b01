import { type BodyLimits, isRefusalCode, isRiskGateError, problemReply } from "@riskgate/core/web";
import { dropBody, readBody } from "./read-body.js";
import { responseOf } from "./response-of.js";

/** A copy of a body, or the response to a request whose body is rejected. */
export type BodyCopy = { readonly bytes: Uint8Array } | { readonly answer: Response };

/**
 * Reads a copy of the body, so that the handler can read the original.
 *
 * @returns No bytes if the body has already been read.
 */
export async function copyBody(request: Request, limits: BodyLimits): Promise<BodyCopy> {
  if (request.bodyUsed || request.body?.locked) return { bytes: new Uint8Array(0) };
  try {
    return { bytes: await readBody(request.clone(), limits) };
  } catch (error) {
    // While the original can still be read, it buffers everything that its copy reads.
    dropBody(request);
    if (isRiskGateError(error) && isRefusalCode(error.code)) {
      return { answer: responseOf(problemReply(error.code)) };
    }
    throw error;
  }
}
