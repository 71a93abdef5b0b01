import { RiskGateError } from "@riskgate/core";

/** Meanings that a feed can have; all but `disposable` are lists of addresses. */
export const FEED_KINDS = ["tor", "vpn", "proxy", "datacenter", "attacker", "disposable"] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** One feed: a text file, or entries that are already in memory. */
export interface FeedOptions {
  readonly kind: FeedKind;
  /**
   * File with one entry a line: an IP address or CIDR, or a domain for `disposable`. Blank lines,
   * and what follows `#`, `;`, a comma or a tab, do not count. Or a file of JSON: the address ranges
   * that a large cloud publishes, or an array of entries.
   */
  readonly path?: string;
  /** The same lines as an array or set, which is read anew by every reload. */
  readonly entries?: Iterable<string>;
  /** Name in explanations; default the name of the file, or the kind. */
  readonly name?: string;
  /** Where the feed comes from, for the record. */
  readonly source?: string;
  /** Licence of the feed, for the record. */
  readonly licence?: string;
  /** A file that is missing is an empty list, until a reload finds it; default false. */
  readonly optional?: boolean;
}

/** What was loaded from one feed. */
export interface FeedInfo {
  readonly name: string;
  readonly kind: FeedKind;
  /** Entries in use. */
  readonly size: number;
  /** Lines, or texts of JSON, that are no entry. */
  readonly skipped: number;
  /** The first such line, from 1. */
  readonly firstSkippedLine?: number;
  /** Unix time in milliseconds. */
  readonly loadedAtMs: number;
  /**
   * When the list was last known to be current, in Unix time in milliseconds: the time of its file,
   * which a feed updater renews whenever it finds the list unchanged. Absent for an optional file
   * that is missing.
   */
  readonly updatedAtMs?: number;
  /** Milliseconds since `updatedAtMs`. */
  readonly ageMs?: number;
  readonly path?: string;
  readonly source?: string;
  readonly licence?: string;
}

/**
 * Check one feed option and take a copy of it.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function resolveFeed(feed: FeedOptions, index: number): FeedOptions {
  const refuse = (message: string): never => {
    throw new RiskGateError("CONFIG_INVALID", `\`feeds[${index}]\` ${message}`);
  };
  if (typeof feed !== "object" || feed === null) return refuse("must be an object");
  const { kind, path, entries, optional = false } = feed;
  if (!FEED_KINDS.includes(kind)) {
    return refuse(`must have a \`kind\` of ${FEED_KINDS.join(", ")}, given ${kind as string}`);
  }
  if ((path === undefined) === (entries === undefined)) {
    return refuse("must have one of `path` and `entries`");
  }
  if (path !== undefined && (typeof path !== "string" || path === "")) {
    return refuse("must have the path of a file as `path`");
  }
  if (entries !== undefined && !isLasting(entries)) {
    return refuse("must have an array or a set of strings as `entries`");
  }
  if (typeof optional !== "boolean") return refuse("must have true or false as `optional`");
  return { ...feed };
}

/** A generator gives its entries once, and the first reload would find none. */
function isLasting(entries: unknown): boolean {
  if (typeof entries !== "object" || entries === null) return false;
  if (!(Symbol.iterator in entries) || "next" in entries) return false;
  for (const entry of entries as Iterable<unknown>) if (typeof entry !== "string") return false;
  return true;
}
