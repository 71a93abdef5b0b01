import { RiskGateError } from "@riskgate/core";
import { Option } from "commander";
import type { Terminal } from "../terminal/terminal.js";

const VARIABLE = "RISKGATE_DATABASE_URL";

export function databaseOption(): Option {
  return new Option(
    "--database <url>",
    `PostgreSQL database, without the password (else ${VARIABLE}, with the password)`,
  );
}

/** URL of the database, if there is one. @throws {RiskGateError} CONFIG_INVALID */
export function findDatabase(given: string | undefined, { env }: Terminal): string | undefined {
  if (given !== undefined && !/^postgres(?:ql)?:\/\//.test(given)) {
    throw new RiskGateError("CONFIG_INVALID", "expected --database to begin with postgres://", {
      hint: `Write it as postgres://user@host:5432/name, and set ${VARIABLE} or PGPASSWORD for the password`,
    });
  }
  if (given !== undefined && URL.canParse(given) && hasPassword(new URL(given))) {
    throw new RiskGateError("CONFIG_INVALID", "expected --database without a password", {
      hint: `Every user of a machine can list arguments: set ${VARIABLE}, or PGPASSWORD`,
    });
  }
  return given ?? (env[VARIABLE] || undefined);
}

/** The query may contain it too. */
function hasPassword({ password, searchParams }: URL): boolean {
  return password !== "" || searchParams.has("password");
}

/** URL of the database. @throws {RiskGateError} CONFIG_INVALID if it is missing. */
export function requireDatabase(given: string | undefined, terminal: Terminal): string {
  const url = findDatabase(given, terminal);
  if (url !== undefined) return url;
  throw new RiskGateError("CONFIG_INVALID", "the database is missing", {
    hint: `Set ${VARIABLE}, or give --database postgres://user@host/name`,
  });
}

/** Returns the URL without its password. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return "the database";
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
