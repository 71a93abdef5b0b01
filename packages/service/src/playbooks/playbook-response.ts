import { MemberReader } from "../events/member-reader.js";

/** Which accounts a response names. */
const NAMED_ACCOUNTS = ["acting", "all", "none"] as const;
type NamedAccounts = (typeof NAMED_ACCOUNTS)[number];

/** What a playbook asks receivers to do. */
export interface PlaybookResponse {
  /** How long; 1 second to 30 days, default 1 hour. */
  readonly durationMs: number;
  /** Name the addresses; default true. */
  readonly addresses: boolean;
  /**
   * Name the accounts that take part in an attack, all accounts concerned, or none; default
   * "acting". With "all", an attack on an account blocks that account.
   */
  readonly accounts: NamedAccounts;
  /** Leading bits of an IPv6 address that are named, 64 or 128; default 64. */
  readonly ipv6Prefix: 64 | 128;
  /** Name addresses of private networks too; default false. */
  readonly internalAddresses: boolean;
}

const MAX_DURATION_MS = 30 * 24 * 3_600_000;

/**
 * Read the response of a playbook.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
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
    reader.refuse("addresses", "true, or `accounts` something other than none");
  }
  reader.refuseOthers();
  return response;
}
