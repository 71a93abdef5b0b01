import { RiskGateError } from "../base/errors.js";
import { isCertificateError, isTlsError } from "./network-error.js";

/** Creates the error for a failed check, with advice for a wrong setup. */
export function checkError(error: RiskGateError, url: string): RiskGateError {
  const { code, message, status, retryAfterMs, cause } = error;
  if (code === "ABORTED") return error;
  return new RiskGateError(code, `the check of ${url} failed: ${message}`, {
    hint: adviceFor(error),
    cause,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function adviceFor(error: RiskGateError): string {
  const { code, status = 0 } = error;
  if (code === "REDIRECT_REFUSED" || isCertificateError(error)) return error.hint;
  if (code === "UPSTREAM_STATUS" && status >= 500) return "A server was reached: check its log";
  if (code === "NETWORK" && isTlsError(error)) return NO_TLS;
  return ADVICE[code] ?? NO_SERVICE;
}

const NO_TLS =
  "A server was reached, but it does not speak TLS: write http:// in `baseUrl`, or check the port";

const NO_SERVICE =
  "The server is not a lookup service: check the host, port (not the administration port) and path of `baseUrl`, without /v1 at the end";

const ADVICE: Partial<Record<RiskGateError["code"], string>> = {
  NETWORK: "No server was reached: check the host and port of `baseUrl`, and that the service runs",
  TIMEOUT: "Check the host and port of `baseUrl` and the firewall, or raise `timeoutMs`",
  UNAUTHORIZED: "The service does not know the key: set `apiKey` to a lookup key of this service",
  RATE_LIMITED: "The service was reached, but limits requests: wait for `retryAfterMs`",
};
