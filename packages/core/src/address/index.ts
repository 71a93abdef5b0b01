/**
 * Addresses as values: for authors of engines, stores and tools.
 *
 * @module
 */
export { type Cidr, parseCidr } from "./cidr.js";
export { COUNTRY_CODES } from "./country-codes.js";
export { destinationOf, isPublicDestination } from "./destination.js";
export { domainOfEmail, normalizeDomain } from "./domain-name.js";
export { domainOf, emailProblem, foldEmail } from "./email-address.js";
export {
  createSystemResolve,
  DESTINATION_BLOCKED,
  guardedLookup,
  type Resolve,
} from "./guarded-lookup.js";
export { type IpVersion, normalizeIp, parseIp } from "./ip-address.js";
export { createIpTable, type IpTable, type IpTableEntry } from "./ip-table.js";
export { mailboxOf } from "./mailbox.js";
export { isPublicAt, isPublicIp } from "./special-purpose.js";
