/**
 * IP and email addresses as values, for authors of engines, stores and tools.
 *
 * @module
 */
export { type Cidr, parseCidr } from "./address/cidr.js";
export { COUNTRY_CODES } from "./address/country-codes.js";
export { isPublicDestination } from "./address/destination.js";
export { destinationOf } from "./address/host-address.js";
export { normalizeDomain } from "./address/domain-name.js";
export { emailProblem, foldEmail } from "./address/email-address.js";
export {
  createSystemResolve,
  DESTINATION_BLOCKED,
  guardedLookup,
  type Resolve,
} from "./address/guarded-lookup.js";
export { type IpVersion, normalizeIp, parseIp } from "./address/ip-address.js";
export { createIpTable, type IpTable, type IpTableEntry } from "./address/ip-table.js";
export { hostsIn, mailboxesIn, mailboxOf } from "./address/mailbox.js";
export { isPublicAt, isPublicIp } from "./address/special-purpose.js";
