import { STATUS_CODES } from "node:http";
import { isRiskGateError } from "@riskgate/core";

/** The body of every error response. Source: specification, Lookup error body. */
export interface ErrorBody {
  readonly code: number;
  readonly details: string;
  readonly errno: number;
  readonly error: string;
  readonly info: string;
  readonly message: string;
}

export function errorBody(
  status: number,
  details: string,
  message: string = details,
  error: string = STATUS_CODES[status] ?? "Error",
): ErrorBody {
  return { code: status, details, errno: status, error, info: "", message };
}

/** The error for an invalid IP, verbatim (sic) as observed: `docs/spec-notes.md`. */
export const INVALID_IP: ErrorBody = errorBody(
  400,
  "Invalid IP",
  "Validation error occured while trying to parse an ip",
  "Invalid request",
);

/** The error for an invalid email, which the specification does not define. */
export const INVALID_EMAIL: ErrorBody = errorBody(
  400,
  "Invalid email",
  "Validation error occured while trying to parse an email",
  "Invalid request",
);

/** The error for every request without a valid key, whatever is wrong with the key. */
export const UNAUTHORIZED: ErrorBody = errorBody(
  401,
  "Invalid API key",
  "The X-API-Key header must contain a valid API key",
);

/** The error for a wrong key or token after too many from the same address. */
export const TOO_MANY_WRONG: ErrorBody = errorBody(
  429,
  "Wrong key or token, after too many of them from this address",
  "A valid key or token is always accepted; wait for Retry-After before you try another one",
);

/** The error for every report without a valid report key. */
export const REPORT_UNAUTHORIZED: ErrorBody = errorBody(
  401,
  "Invalid report key",
  "The X-API-Key header must contain a valid report key; a lookup key is not accepted",
);

/** The error for every request for blocks without a valid key of this scope. */
export const BLOCKS_UNAUTHORIZED: ErrorBody = errorBody(
  401,
  "Invalid key for blocks",
  "The X-API-Key header must contain a key for blocks; other keys are not accepted",
);

/** What a 403 of the administration port recommends: behind a proxy, the service must know its name. */
const SET_ORIGIN =
  "set `--admin-origin` (`RISKGATE_ADMIN_ORIGIN`, `adminOrigin`) to the origin in the browser's address bar";

/** The error for a `Host` that names neither this machine nor the origin of the console. */
export const FOREIGN_HOST: ErrorBody = errorBody(
  403,
  `Host is not allowed: connect to 127.0.0.1, or ${SET_ORIGIN}`,
);

/** The error for a request to sign in that a page of another origin sends. */
export const FOREIGN_PAGE: ErrorBody = errorBody(
  403,
  `Origin is not allowed: if this is the console behind a proxy, ${SET_ORIGIN}`,
);

export const RATE_LIMITED: ErrorBody = errorBody(
  429,
  "Rate limit exceeded",
  "The key or its sandbox application has reached its limit; wait for Retry-After",
);

export const NOT_FOUND: ErrorBody = errorBody(404, "No such resource");

export const UNAVAILABLE: ErrorBody = errorBody(503, "The risk cannot be assessed at the moment");

/** Converts an error to an error body, which shows nothing from the request. */
export function failureBody(error: unknown): ErrorBody {
  if (isRiskGateError(error)) {
    if (error.code === "INVALID_ARGUMENT" || error.code === "CONFIG_INVALID") {
      return errorBody(400, error.message);
    }
    if (error.code === "STORE_FAILED") return errorBody(503, error.message);
  }
  return errorBody(500, "The service failed");
}
