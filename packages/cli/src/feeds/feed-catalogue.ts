import type { FeedKind } from "@riskgate/engine";

/** A published list, as of the last review of this catalogue. */
export interface PublishedFeed {
  /** Name in the settings and in explanations, and file name of its copy. */
  readonly name: string;
  readonly kind: FeedKind;
  readonly content: string;
  readonly maintainer: string;
  /** In the words of its maintainer. */
  readonly licence: string;
  readonly url: string;
  readonly entries?: number;
  /** Size in bytes, if known. */
  readonly bytes?: number;
  /** Hours between two versions, if the maintainer states them. */
  readonly everyHours?: number;
}

/** The maintainer states no licence, so operators must find out the terms of use. */
const NONE_STATED = "none stated";

/** X4B's lists, one for each IP version. */
function x4b(
  kind: "vpn" | "datacenter",
  what: string,
  sizes: Readonly<Record<"ipv4" | "ipv6", Pick<PublishedFeed, "entries" | "bytes">>>,
): readonly PublishedFeed[] {
  return Object.entries(sizes).map(([version, size]) => ({
    name: `x4b-${kind}-${version}`,
    kind,
    content: `${version.replace("ip", "IP")} networks ${what}`,
    maintainer: "X4B (github.com/X4BNet/lists_vpn)",
    licence: "MIT",
    url: `https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/${kind}/${version}.txt`,
    ...size,
  }));
}

/**
 * Published lists by kind. The command does not contain them, and downloads only the chosen ones.
 */
export const FEED_CATALOGUE: readonly PublishedFeed[] = [
  {
    name: "tor-exits",
    kind: "tor",
    content: "exit addresses of the Tor network",
    maintainer: "The Tor Project",
    licence: NONE_STATED,
    url: "https://check.torproject.org/torbulkexitlist",
    entries: 1_500,
    bytes: 20_000,
  },
  ...x4b("vpn", "of VPN providers", {
    ipv4: { entries: 11_000, bytes: 180_000 },
    ipv6: { entries: 500, bytes: 9_000 },
  }),
  {
    name: "firehol-proxies",
    kind: "proxy",
    content: "open proxies of the last 30 days, merged from other lists with their own terms",
    maintainer: "FireHOL (github.com/firehol/blocklist-ipsets)",
    licence: NONE_STATED,
    url: "https://raw.githubusercontent.com/firehol/blocklist-ipsets/master/firehol_proxies.netset",
  },
  ...x4b("datacenter", "that are not access networks: hosting, cloud, VPN", {
    ipv4: { entries: 43_000, bytes: 670_000 },
    ipv6: { entries: 8_800, bytes: 160_000 },
  }),
  {
    name: "aws",
    kind: "datacenter",
    content: "address ranges of Amazon Web Services",
    maintainer: "Amazon",
    licence: NONE_STATED,
    url: "https://ip-ranges.amazonaws.com/ip-ranges.json",
  },
  {
    name: "google-cloud",
    kind: "datacenter",
    content: "address ranges that customers of Google Cloud use",
    maintainer: "Google",
    licence: NONE_STATED,
    url: "https://www.gstatic.com/ipranges/cloud.json",
  },
  {
    name: "oracle-cloud",
    kind: "datacenter",
    content: "address ranges of Oracle Cloud",
    maintainer: "Oracle",
    licence: NONE_STATED,
    url: "https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json",
    everyHours: 24,
  },
  {
    name: "icloud-relay",
    kind: "datacenter",
    content: "exit networks of iCloud Private Relay, whose visitors are elsewhere",
    maintainer: "Apple",
    licence: NONE_STATED,
    url: "https://mask-api.icloud.com/egress-ip-ranges.csv",
  },
  {
    name: "ipsum-3",
    kind: "attacker",
    content: "addresses that at least three lists of attackers have",
    maintainer: "Miroslav Stampar (github.com/stamparm/ipsum)",
    licence: "Unlicense",
    url: "https://raw.githubusercontent.com/stamparm/ipsum/master/levels/3.txt",
    entries: 20_000,
    bytes: 300_000,
    everyHours: 24,
  },
  {
    name: "disposable-email-domains",
    kind: "disposable",
    content: "domains of disposable mailboxes, kept by hand",
    maintainer: "github.com/disposable-email-domains",
    licence: "CC0-1.0",
    url: "https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf",
    entries: 8_300,
    bytes: 120_000,
  },
  {
    name: "disposable",
    kind: "disposable",
    content: "domains of disposable mailboxes, collected from other lists",
    maintainer: "github.com/disposable",
    licence: "MIT",
    url: "https://disposable.github.io/disposable-email-domains/domains.txt",
    entries: 75_000,
    bytes: 1_100_000,
  },
  {
    name: "burner-email-providers",
    kind: "disposable",
    content: "domains of temporary mailboxes, kept by hand",
    maintainer: "Wes Bos (github.com/wesbos/burner-email-providers)",
    licence: "MIT",
    url: "https://raw.githubusercontent.com/wesbos/burner-email-providers/master/emails.txt",
    entries: 27_000,
    bytes: 390_000,
  },
];

/**
 * Returns the URL of a feed on a mirror. The path begins with the host of the published URL, as in
 * `https://mirror.example/check.torproject.org/torbulkexitlist`.
 */
export function urlOn(mirror: URL | undefined, url: string): string {
  if (mirror === undefined) return url;
  const { host, pathname } = new URL(url);
  return `${mirror.origin}${mirror.pathname.replace(/\/+$/, "")}/${host}${pathname}`;
}
