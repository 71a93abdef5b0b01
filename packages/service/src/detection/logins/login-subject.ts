import { mailboxOf } from "@riskgate/core/address";
import { networkOf } from "../../model/network.js";
import type { LoginThresholds } from "./login-thresholds.js";
import type { LoginOutcome } from "./outcome.js";
import type { LoginRule } from "./rules/login-rule.js";

/** Whom a login concerns, and the keys of the windows that count it. */
export interface LoginSubject {
  readonly account: string;
  readonly network: string;
  readonly accountKey: string;
  readonly networkKey: string;
}

export function subjectOf(
  applicationId: string,
  { account: name, address }: LoginOutcome,
  providerRules: boolean,
  { ipv6Prefix }: LoginThresholds,
): LoginSubject {
  const account = mailboxOf(name, providerRules);
  const network = networkOf(address, ipv6Prefix);
  return {
    account,
    network,
    accountKey: `${applicationId}/${account}`,
    networkKey: `${applicationId}/${network}`,
  };
}

/**
 * Returns the subject of a rule's event, which is reported only once while it continues. An event
 * without an address does not prevent the first one with an address.
 */
export function aboutOf(
  { about }: LoginRule,
  { account, network }: LoginSubject,
  isNamed: boolean,
): string {
  const subject = { account, network, both: `${account}/${network}` }[about];
  return isNamed ? subject : `${subject}/unnamed`;
}
