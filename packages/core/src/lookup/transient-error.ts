import type { RiskGateError } from "../base/errors.js";
import { isCertificateError } from "./network-error.js";

export function isTransient(error: RiskGateError): boolean {
  switch (error.code) {
    case "NETWORK":
      return !isCertificateError(error);
    case "RATE_LIMITED":
      return error.retryAfterMs !== undefined;
    case "UPSTREAM_STATUS":
      return error.status === 502 || error.status === 503 || error.status === 504;
    default:
      return false;
  }
}
