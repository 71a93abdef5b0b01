import { createIpTable } from "@riskgate/core/address";

/**
 * Networks of an operator's proxies and machines, and of gateways whose clients share a `/64`: local
 * NAT64 (RFC 8215) and Teredo. If an application sees one of these addresses as its client, everybody
 * behind the proxy or gateway shares it.
 */
const internal = createIpTable(
  [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::/127",
    "64:ff9b:1::/48",
    "2001::/32",
    "fc00::/7",
    "fe80::/10",
  ].map((cidr) => [cidr, 1] as const),
);

export function isInternal(ip: string): boolean {
  return internal.marksOf(ip) > 0;
}
