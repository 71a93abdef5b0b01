import { destinationOf, emailProblem, foldEmail } from "@riskgate/core/address";
import type { MemberReader } from "../../detection/events/member-reader.js";
import type { Subject } from "../../model/subject.js";

/**
 * Reads `ip` or `account`; undefined if the request has neither.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readSubject(reader: MemberReader): Subject | undefined {
  const [ip, account] = [reader.value("ip"), reader.value("account")];
  if (ip !== undefined && account !== undefined) {
    reader.refuse("ip", "omitted if `account` is given");
  }
  if (ip !== undefined) return readIp(reader, "ip", ip);
  return account === undefined ? undefined : readAccount(reader, "account", account);
}

/** Maximum number of addresses, and of accounts, in one request. */
const MAX_SUBJECTS = 1_000;

/**
 * Reads the lists `ips` and `accounts`, which have at least one entry together.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readSubjects(reader: MemberReader): readonly Subject[] {
  const ips = reader.list("ips", MAX_SUBJECTS);
  const accounts = reader.list("accounts", MAX_SUBJECTS);
  if (ips.length + accounts.length === 0) {
    reader.refuse("ips", "a list of IP addresses, unless `accounts` is given");
  }
  return [
    ...ips.map((one, index) => readIp(reader, `ips[${index}]`, one)),
    ...accounts.map((one, index) => readAccount(reader, `accounts[${index}]`, one)),
  ];
}

function readIp(reader: MemberReader, name: string, value: unknown): Subject {
  const subject = destinationOf(value) ?? reader.refuse(name, "an IP address");
  return { type: "ip", subject };
}

function readAccount(reader: MemberReader, name: string, value: unknown): Subject {
  if (emailProblem(value) !== undefined) {
    reader.refuse(name, "an account identifier of at most 320 bytes");
  }
  return { type: "account", subject: foldEmail(value as string) };
}
