import { emailProblem, foldEmail, normalizeIp } from "@riskgate/core/address";
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
  if (ip !== undefined) {
    const subject = normalizeIp(ip) ?? reader.refuse("ip", "an IP address");
    return { type: "ip", subject };
  }
  if (account === undefined) return undefined;
  if (emailProblem(account) !== undefined) {
    reader.refuse("account", "an account identifier of at most 320 bytes");
  }
  return { type: "account", subject: foldEmail(account as string) };
}
