import type { ErrorCode } from "./hints.js";

const PAGE = "https://github.com/riskgate/riskgate/blob/main/docs/errors.md";

/** In a bundle the texts would be an eighth of the whole: the page has them, and what is in them. */
export function hintOf(code: ErrorCode): string {
  // The one that a warning repeats at a mount that can never work.
  return code === "RAW_BODY_UNAVAILABLE"
    ? "Give the request to the webhook route before anything reads its body"
    : `See ${PAGE}#${code.toLowerCase()}`;
}
