import { RiskGateError } from "../base/errors.js";
import { MAX_ANSWER_BYTES, tooLarge } from "./transport.js";

/** `node:zlib` functions by name: the first response that needs one loads the module. */
const DECODERS = {
  gzip: "gunzipSync",
  "x-gzip": "gunzipSync",
  deflate: "inflateSync",
  br: "brotliDecompressSync",
} as const;

/**
 * Decodes a body that the service compressed although no encoding was requested.
 *
 * @throws {RiskGateError} RESPONSE_TOO_LARGE, or INVALID_RESPONSE if the body cannot be decoded.
 */
export function decodeBody(
  body: Uint8Array,
  encoding: string | undefined,
  status: number,
): Uint8Array {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity" || body.length === 0) return body;
  if (!Object.hasOwn(DECODERS, name)) {
    throw new RiskGateError("INVALID_RESPONSE", "expected gzip, deflate, br or no encoding", {
      status,
    });
  }
  const decode = process.getBuiltinModule("node:zlib")[DECODERS[name as keyof typeof DECODERS]];
  try {
    return decode(body, { maxOutputLength: MAX_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw tooLarge(status);
    }
    throw new RiskGateError("INVALID_RESPONSE", `expected a body encoded as ${name}`, { status });
  }
}
