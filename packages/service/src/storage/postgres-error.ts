import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { codeOf, storeError } from "./store-error.js";

const TRUST =
  "Name its CA with sslrootcert=file in the URL, and the host as the certificate has it";

/** Code of the server for a change where only reading is allowed. */
export const READ_ONLY = "25006";

const NOT_WRITABLE = [
  "the database cannot be written",
  "Name the primary server in the URL, not a replica, and see whether it allows only reading",
] as const;

/** Errors that an operator can resolve, by the start of the code. */
const TROUBLES: readonly (readonly [code: string, message: string, hint: string])[] = [
  ["53100", "the disk of the database server is full", "Free some space; nothing was changed"],
  ["53300", "the database server has no connection left", "Raise its max_connections"],
  ["53", "the database server has reached a limit", "Check its limits"],
  ["57014", "the database took too long", "Check its load and its locks"],
  ["57P", "the database server is stopping or starting", "The service tries again automatically"],
  ["28", "the database refused the user", "Check user and password in the URL"],
  ["3D000", "the database does not exist", "Create it, or correct the URL"],
  ["42501", "the user may not do this in the database", "Make it the owner of the database"],
  [READ_ONLY, ...NOT_WRITABLE],
  [
    "42P07",
    "another program has a table of the same name in the database",
    "Give the service a separate database",
  ],
  ["ECONNREFUSED", "the database server cannot be reached", "Check host and port in the URL"],
  ["EHOSTUNREACH", "the database server cannot be reached", "Check the network between them"],
  ["ENETUNREACH", "the database server cannot be reached", "Check the network between them"],
  ["ENOTFOUND", "the host of the database has no address", "Check the host in the URL"],
  ["EAI_AGAIN", "the host of the database has no address", "Check the name server"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate of the database is for another host", TRUST],
  ["SELF_SIGNED_CERT", "the certificate of the database is not trusted", TRUST],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate of the database is not trusted", TRUST],
  ["UNABLE_TO_", "the certificate of the database is not trusted", TRUST],
  ["CERT_HAS_EXPIRED", "the certificate of the database has expired", "Renew it"],
];

/** The same for errors without a code, by their message. */
const UNCODED: readonly (readonly [start: string, message: string, hint: string])[] = [
  ["timeout expired", "the database server did not answer", "Check host, port and network"],
  [
    "The server does not support SSL",
    "the database server does not speak TLS",
    "Turn TLS on there, or remove sslmode from the URL if you trust the network",
  ],
  ["SASL", "the database refused the user", "Check user and password in the URL"],
];

/** Returns the error for an error of PostgreSQL or of the connection to it. */
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

/** The server lets nobody write now. */
export function cannotWrite(): RiskGateError {
  const [message, hint] = NOT_WRITABLE;
  return new RiskGateError("STORE_FAILED", message, { hint });
}

/** Whether what was sent last has been done is not known. */
export function connectionLost(cause?: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the connection to the database was lost", {
    cause,
    hint: "It is made again by itself",
  });
}

/** The server says nothing, or is busy with something else. */
export function noAnswer(): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the database does not answer in time", {
    hint: "Look at its load and at the network; it is tried again by itself",
  });
}

/** Reads the URL. @throws {RiskGateError} CONFIG_INVALID */
export function readUrl<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    // Files of certificates are read here.
    throw new RiskGateError("CONFIG_INVALID", "the URL of the database cannot be used", {
      cause,
      hint: "Check its parameters, and that the files that it names can be read",
    });
  }
}
