import { NAMED_ACCOUNTS, type PlaybookResponse } from "../../model/playbook.js";
import { MemberReader } from "../events/member-reader.js";

export const MAX_DURATION_MS: number = 30 * 24 * 3_600_000;

export function readPlaybookResponse(value: unknown): PlaybookResponse {
  const reader = new MemberReader(value, "`response`", "response.");
  const ipv6Prefix = reader.whole("ipv6Prefix", 64, 128) ?? 64;
  const response: PlaybookResponse = {
    durationMs: reader.whole("durationMs", 1000, MAX_DURATION_MS) ?? 3_600_000,
    addresses: reader.flag("addresses") ?? true,
    accounts: reader.word("accounts", NAMED_ACCOUNTS) ?? "acting",
    ipv6Prefix:
      ipv6Prefix === 64 || ipv6Prefix === 128
        ? ipv6Prefix
        : reader.refuse("ipv6Prefix", "64 or 128"),
    internalAddresses: reader.flag("internalAddresses") ?? false,
  };
  if (!response.addresses && response.accounts === "none") {
    reader.refuse("addresses", "true if `accounts` is none");
  }
  reader.refuseOthers();
  return response;
}
