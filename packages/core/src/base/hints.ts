/** Advice by {@link RiskGateError} code. `docs/errors.md` has one heading per code. */
const HINTS = {
  CONFIG_INVALID: "Correct the named option; nothing was started",
  INVALID_ARGUMENT: "Pass one email address or one IP address as a string",
  ABORTED: "The caller's signal aborted the lookup; no action is needed",
  TIMEOUT: "Raise `timeoutMs`, or check the service: it did not respond in time",
  NETWORK: "Check the base URL, the network and the certificate of the service",
  UNAUTHORIZED: "Check `apiKey`: the service does not accept it",
  BAD_REQUEST: "The service rejected the identifier; see `details`",
  RATE_LIMITED: "Wait for `retryAfterMs`, or request a higher limit",
  UPSTREAM_STATUS:
    "The service responded with an error; see `status`. For 404, `baseUrl` is the administration port or ends in /v1",
  REDIRECT_REFUSED: "Set `baseUrl` to the final URL; the key is never sent anywhere else",
  INVALID_RESPONSE: "Check that `baseUrl` is the lookup API; the response is not an assessment",
  RESPONSE_TOO_LARGE: "Check that `baseUrl` is the lookup API; the response is over 64 KiB",
  LOOKUP_FAILED: "See `cause`: the application's lookup threw an error",
  RISK_REJECTED: "The gate's policy rejects this request",
  RISK_UNAVAILABLE:
    "The risk could not be looked up, and the gate is configured to reject in that case",
  CHALLENGE_REQUIRED:
    "Have the client complete the challenge and resend the request with `challengeToken`",
  CHALLENGE_LIMITED: "Have the client resend the token later",
  NOT_GATED:
    "Put `riskGate` in front of the handler; requests that its `skip` lets through have no decision either",
  IDENTIFIER_INVALID: "Send the email address as a string",
  METHOD_NOT_ALLOWED: "Deliver with POST",
  UNSUPPORTED_MEDIA_TYPE: "Send `application/json` in UTF-8 and without content encoding",
  SIGNATURE_INVALID: "Check that sender and receiver use the same secret",
  TIMESTAMP_INVALID:
    "Check the clocks of sender and receiver, and whether anything between them delays deliveries",
  BODY_TOO_LARGE: "Send smaller deliveries, or raise `maxBytes`",
  BODY_TIMEOUT: "Send the body faster, or raise `bodyTimeoutMs`",
  BODY_INCOMPLETE: "The sender closed the connection before the body was complete",
  RECEIVER_BUSY: "Deliver again later; if it persists, raise `maxTotalBytes`",
  RAW_BODY_UNAVAILABLE:
    "Mount the webhook route before any body parser or `setEncoding`, or exclude its path there",
  INVALID_ENCODING: "Send the body as valid UTF-8",
  INVALID_JSON: "Send a JSON body",
  INVALID_PAYLOAD: "Send a JSON array of payloads",
  TOO_MANY_EVENTS: "Send at most 1,000 payloads in one delivery",
  HANDLER_FAILED: "See `cause`: an application handler threw an error",
  HANDLER_TIMEOUT: "Make the handlers faster, raise `handlerTimeoutMs`, or use an inbox",
  HANDLER_BUSY:
    "The same payload is being handled, or has just failed, elsewhere; deliver it again",
  SECRETS_UNAVAILABLE:
    "Check the function `secrets`: it failed, took too long or returned no usable secret",
  INBOX_UNAVAILABLE: "Check the inbox store: it did not accept the delivery",
  STORE_FAILED: "Check the shared store: it did not respond as its interface requires",
  HOOK_FAILED: "See `cause`: an application hook or selector threw an error",
  REPORT_QUEUE_FULL:
    "Check the service, which accepts reports too slowly or not at all, or raise `maxQueued` and `maxQueuedBytes`",
  LOG_QUEUE_FULL:
    "The log is written too slowly: check its disk, or raise `maxQueued` and `maxQueuedBytes`",
} as const;

/** Code of a {@link RiskGateError}: a closed union, so that `switch (error.code)` narrows. */
export type ErrorCode = keyof typeof HINTS;

export function hintOf(code: ErrorCode): string {
  return HINTS[code];
}
