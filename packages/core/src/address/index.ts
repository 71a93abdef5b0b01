// Addresses as values: for authors of engines, stores and tools.
export { type Cidr, parseCidr } from "./cidr.js";
export { domainOf, emailProblem, foldEmail } from "./email-address.js";
export { type IpVersion, normalizeIp, parseIp } from "./ip-address.js";
export { createIpTable, type IpTable, type IpTableEntry } from "./ip-table.js";
export { isPublicAt, isPublicIp } from "./special-purpose.js";
