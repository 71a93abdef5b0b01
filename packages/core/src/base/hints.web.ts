import type { ErrorCode } from "./hints.js";

const PAGE = "https://github.com/riskgate/riskgate/blob/main/docs/errors.md";

/** The texts would be an eighth of a bundle, so the hint links to their page. */
export function hintOf(code: ErrorCode): string {
  // A warning repeats this hint if the receiver is mounted after a body parser.
  return code === "RAW_BODY_UNAVAILABLE"
    ? "Give the request to the webhook route before anything reads its body"
    : `See ${PAGE}#${code.toLowerCase()}`;
}
