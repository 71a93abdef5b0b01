import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { codeOf, storeError } from "./store-error.js";

const TRUST = "Set sslrootcert=file in the URL to its CA, and use the host name in the certificate";

/** PostgreSQL's error code for a write to a read-only server. */
export const READ_ONLY = "25006";

const NOT_WRITABLE = [
  "the database cannot be written",
  "Use the primary server in the URL, not a replica, and check whether it is read-only",
] as const;

/** Errors that an operator can resolve, by the prefix of their code. */
const TROUBLES: readonly (readonly [code: string, message: string, hint: string])[] = [
  ["53100", "the database server's disk is full", "Free some space; nothing was changed"],
  ["53300", "the database server has no free connections", "Raise its max_connections"],
  ["53", "the database server has reached a limit", "Check its limits"],
  ["57014", "a database query took too long", "Check its load and its locks"],
  ["57P", "the database server is stopping or starting", "The service retries automatically"],
  ["28", "the database rejected the login", "Check the user name and password in the URL"],
  ["3D000", "the database does not exist", "Create it, or correct the URL"],
  ["42501", "the database user lacks a permission", "Make it the owner of the database"],
  [READ_ONLY, ...NOT_WRITABLE],
  [
    "42P07",
    "another program has a table with the same name in the database",
    "Give the service a separate database",
  ],
  ["ECONNREFUSED", "the database server cannot be reached", "Check the host and port in the URL"],
  ["EHOSTUNREACH", "the database server cannot be reached", "Check the network"],
  ["ENETUNREACH", "the database server cannot be reached", "Check the network"],
  ["ENOTFOUND", "the database host cannot be resolved", "Check the host in the URL"],
  ["EAI_AGAIN", "the database host cannot be resolved", "Check the DNS server"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the database certificate is for another host", TRUST],
  ["SELF_SIGNED_CERT", "the database certificate is not trusted", TRUST],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the database certificate is not trusted", TRUST],
  ["UNABLE_TO_", "the database certificate is not trusted", TRUST],
  ["CERT_HAS_EXPIRED", "the database certificate has expired", "Renew it"],
];

/** Errors without a code that an operator can resolve, by the start of their message. */
const UNCODED: readonly (readonly [start: string, message: string, hint: string])[] = [
  [
    "timeout expired",
    "the database server did not respond",
    "Check the host, the port and the network",
  ],
  [
    "The server does not support SSL",
    "the database server does not support TLS",
    "Enable TLS on the server, or remove sslmode from the URL if you trust the network",
  ],
  ["SASL", "the database rejected the login", "Check the user name and password in the URL"],
];

export function postgresError(error: unknown): RiskGateError {
  if (isRiskGateError(error)) return error;
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : "";
  const known =
    TROUBLES.find(([prefix]) => code.startsWith(prefix)) ??
    UNCODED.find(([start]) => code === "" && text.startsWith(start));
  if (!known) return /^(?:E[A-Z]+)?$/.test(code) ? connectionLost(error) : storeError(error);
  const [, message, hint] = known;
  return new RiskGateError("STORE_FAILED", message, { cause: error, hint });
}

export function cannotWrite(): RiskGateError {
  const [message, hint] = NOT_WRITABLE;
  return new RiskGateError("STORE_FAILED", message, { hint });
}

export function connectionLost(cause?: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the connection to the database was lost", {
    cause,
    hint: "The service reconnects automatically",
  });
}

export function noAnswer(): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the database did not respond in time", {
    hint: "Check its load and the network; the service retries automatically",
  });
}

/** Reads the database URL. @throws {RiskGateError} CONFIG_INVALID */
export function readUrl<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    // This also reads the certificate files.
    throw new RiskGateError("CONFIG_INVALID", "the database URL cannot be used", {
      cause,
      hint: "Check its parameters, and that the files it names are readable",
    });
  }
}
