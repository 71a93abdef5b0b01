import type { EventGeo } from "@riskgate/core/payloads";
import { DEVICE_STANDINGS } from "@riskgate/core/internal";
import type { DeviceStanding } from "@riskgate/core/device";
import { destinationOf, emailProblem, foldEmail, mailboxOf } from "@riskgate/core/address";
import { type Contribution, contributionOfCount } from "../incidents/contribution.js";
import type { Instant } from "../../model/instant.js";
import { MemberReader } from "../events/member-reader.js";
import { readGeo } from "../events/read-event.js";

export interface LoginOutcome {
  /** The account that the visitor entered: an email address or another identifier, case-folded. */
  readonly account: string;
  readonly address: string;
  readonly success: boolean;
  readonly at: Instant;
  /** True if the application gave the time; an outcome with the same time is a duplicate. */
  readonly isDated: boolean;
  /** Location of the visitor as reported by the application, or else that of the address. */
  readonly location: EventGeo | undefined;
  /** True if the account exists; undefined if the application does not report this. */
  readonly known: boolean | undefined;
  readonly userAgent: string | undefined;
  /** A page of another origin may have made the browser send the login. */
  readonly crossSite: boolean;
  /** Standing of the browser; undefined if the application does not recognise devices. */
  readonly device?: DeviceStanding | undefined;
}

/**
 * Reads a login outcome: `{ account, address, success, at?, location?, known?, userAgent?,
 * crossSite?, device? }`.
 * @throws {RiskGateError} INVALID_ARGUMENT; the message is the reason to return.
 */
export function readOutcome(value: unknown, now: Instant): LoginOutcome {
  const reader = new MemberReader(value, "the outcome");
  const account = reader.value("account");
  if (emailProblem(account) !== undefined) {
    reader.refuse("account", "an email address or another identifier, at most 320 bytes long");
  }
  const outcome: LoginOutcome = {
    account: foldEmail(account as string),
    address: destinationOf(reader.value("address")) ?? reader.refuse("address", "an IP address"),
    success: reader.flag("success") ?? reader.refuse("success", "true or false"),
    at: reader.instant(now, "at"),
    isDated: reader.value("at") !== undefined,
    location: readGeo(reader.value("location"), "location"),
    known: reader.flag("known"),
    userAgent: reader.text("userAgent", 512),
    crossSite: reader.flag("crossSite") ?? false,
    device: readDevice(reader),
  };
  reader.refuseOthers();
  return outcome;
}

function readDevice(reader: MemberReader): DeviceStanding | undefined {
  const given = reader.value("device");
  if (given === undefined) return undefined;
  const standing = DEVICE_STANDINGS.find((one) => one === given);
  return standing ?? reader.refuse("device", DEVICE_STANDINGS.join(", "));
}

/** Returns the count of an outcome; a success counts 0, but marks its minute as one with logins. */
export function contributionOfOutcome(
  { at, success, account, address, userAgent }: LoginOutcome,
  providerRules: boolean,
): Contribution {
  if (success) return contributionOfCount(at, 0);
  const userAgents = userAgent === undefined ? [] : [userAgent];
  return {
    ...contributionOfCount(at, 1),
    accounts: [mailboxOf(account, providerRules)],
    accountNames: [account],
    addresses: [address],
    userAgents,
  };
}
