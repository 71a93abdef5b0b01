import type { Feed } from "@riskgate/api-types";

const TEXTS: Readonly<Record<Feed["kind"], string>> = {
  tor: "Tor exits",
  vpn: "VPNs",
  proxy: "Proxies",
  datacenter: "Hosting networks",
  attacker: "Known attackers",
  disposable: "Disposable email domains",
};

/** Every kind of feed, in the order in which coverage is shown. */
export const FEED_KINDS: readonly Feed["kind"][] = Object.keys(TEXTS) as Feed["kind"][];

export function feedKindText(kind: Feed["kind"]): string {
  return TEXTS[kind];
}
