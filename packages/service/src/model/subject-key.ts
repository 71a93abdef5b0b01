import { mailboxOf } from "@riskgate/core/address";
import { networkOf } from "./network.js";
import type { Subject } from "./subject.js";

/**
 * Returns the key under which the ledger finds a subject: the coarsest form that any setting compares
 * by. A mailbox stands for all its spellings, and an IPv6 /64 for its addresses.
 */
export function keyOf({ type, subject }: Subject): string {
  if (type === "account") return mailboxOf(subject);
  return subject.includes(":") ? networkOf(subject, 64) : subject;
}
