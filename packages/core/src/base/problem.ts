import type { ErrorCode } from "./errors.js";

/** A framework-independent response; an adapter sends it unchanged. */
export interface Reply {
  readonly status: number;
  /** Lowercase header names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a response without a body. */
  readonly body: string;
}

/** Status and title of every refusal: the only mapping from codes to statuses. */
const REFUSALS = {
  RISK_REJECTED: [403, "The request was refused"],
  RISK_UNAVAILABLE: [503, "The request cannot be checked at the moment"],
  CHALLENGE_REQUIRED: [403, "The request needs another check"],
  CHALLENGE_LIMITED: [429, "Too many challenges failed"],
  IDENTIFIER_INVALID: [400, "The email address must be a string"],
  METHOD_NOT_ALLOWED: [405, "Deliver with POST"],
  UNSUPPORTED_MEDIA_TYPE: [415, "Expected application/json in UTF-8 without content encoding"],
  SIGNATURE_INVALID: [401, "The signature is missing or wrong"],
  TIMESTAMP_INVALID: [401, "The timestamp is missing or wrong"],
  BODY_TOO_LARGE: [413, "The body is too large"],
  BODY_TIMEOUT: [408, "The body did not arrive in time"],
  BODY_INCOMPLETE: [400, "The body is incomplete"],
  RECEIVER_BUSY: [503, "Too many deliveries arrive at the same time"],
  RAW_BODY_UNAVAILABLE: [500, "The raw body is not available"],
  INVALID_ENCODING: [400, "The body is not valid UTF-8"],
  INVALID_JSON: [400, "The body is not JSON"],
  INVALID_PAYLOAD: [400, "The body is not an array"],
  TOO_MANY_EVENTS: [400, "The array has over 1,000 elements"],
  HANDLER_FAILED: [500, "A handler failed"],
  HANDLER_TIMEOUT: [503, "The handlers did not finish in time"],
  HANDLER_BUSY: [503, "The same payload is being handled"],
  SECRETS_UNAVAILABLE: [503, "The secrets are not available"],
  INBOX_UNAVAILABLE: [503, "The delivery could not be stored"],
  STORE_FAILED: [503, "The delivery could not be checked for duplicates"],
} as const;

export type RefusalCode = Extract<ErrorCode, keyof typeof REFUSALS>;

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code);
}

export function statusOf(code: RefusalCode): number {
  return REFUSALS[code][0];
}

/**
 * Creates a refusal with problem details (RFC 9457). The body contains the code and nothing about
 * the request: except for `members`, it is the same for every request refused for the same reason.
 * @param status By default the status of the code.
 */
export function problemReply(
  code: RefusalCode,
  extra: Record<string, string> = {},
  members: Readonly<Record<string, unknown>> = {},
  status: number = statusOf(code),
): Reply {
  const [, title] = REFUSALS[code];
  const headers: Record<string, string> = {
    // With an explicit charset, because frameworks differ in whether and how they add one.
    "content-type": "application/problem+json; charset=utf-8",
    "cache-control": "no-store",
    ...extra,
  };
  if (status === 503) headers["retry-after"] = "5";
  return {
    status,
    headers,
    body: JSON.stringify({ type: "about:blank", title, status, code, ...members }),
  };
}
