import type { OptionReader } from "@riskgate/core/adapter";

/** Kinds of feeds; all except `disposable` list IP addresses. */
export const FEED_KINDS = ["tor", "vpn", "proxy", "datacenter", "attacker", "disposable"] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** One feed: a text file, or entries that are already in memory. */
export interface FeedOptions {
  readonly kind: FeedKind;
  /**
   * File with one entry per line: an IP address or CIDR, or a domain for `disposable`. Blank lines,
   * and text after `#`, `;`, a comma or a tab, are ignored. Or a JSON file: the address ranges of a
   * large cloud, or an array of entries.
   */
  readonly path?: string;
  /** The same lines as an array or set, which every reload reads again. */
  readonly entries?: Iterable<string>;
  /** Name in explanations; default the file name, or the kind. */
  readonly name?: string;
  /** Origin of the feed, for the record. */
  readonly source?: string;
  /** Licence of the feed, for the record. */
  readonly licence?: string;
  /** Treat a missing file as an empty list until a reload finds it; default false. */
  readonly optional?: boolean;
}

export interface FeedInfo {
  readonly name: string;
  readonly kind: FeedKind;
  readonly size: number;
  /** Lines or JSON strings that are not entries. */
  readonly skipped: number;
  /** Number of the first skipped line, from 1. */
  readonly firstSkippedLine?: number;
  /** Unix time in milliseconds. */
  readonly loadedAtMs: number;
  /**
   * When the list was last known to be current, in Unix milliseconds: the time of its file, which a
   * feed updater renews whenever it finds the list unchanged. Absent for a missing optional file.
   */
  readonly updatedAtMs?: number;
  /** Milliseconds since `updatedAtMs`. */
  readonly ageMs?: number;
  readonly path?: string;
  readonly source?: string;
  readonly licence?: string;
}

/** Validates and copies one feed's options. @throws {RiskGateError} CONFIG_INVALID */
export function resolveFeed(options: OptionReader): FeedOptions {
  const kind = kindOf(options);
  const path = options.string("path");
  const entries = options.value("entries");
  const name = options.string("name");
  const source = options.string("source");
  const licence = options.string("licence");
  const optional = options.boolean("optional", false);
  if ((path === undefined) === (entries === undefined)) {
    const given = path === undefined ? undefined : entries;
    options.refuse("path", "set where `entries` is left out, and only there", given);
  }
  if (path === "") options.refuse("path", "the path of a file", path);
  if (entries !== undefined && !isLasting(entries)) {
    options.refuse("entries", "an array or a set of strings", entries);
  }
  return {
    kind,
    optional,
    ...(path !== undefined && { path }),
    ...(entries !== undefined && { entries: entries as Iterable<string> }),
    ...(name !== undefined && { name }),
    ...(source !== undefined && { source }),
    ...(licence !== undefined && { licence }),
  };
}

export function kindOf(options: OptionReader): FeedKind {
  const kind = FEED_KINDS.find((known) => known === options.value("kind"));
  return kind ?? options.refuse("kind", `one of ${FEED_KINDS.join(", ")}`, options.value("kind"));
}

/** A generator yields its entries only once, so a reload would find nothing. */
function isLasting(entries: unknown): boolean {
  if (typeof entries !== "object" || entries === null) return false;
  if (!(Symbol.iterator in entries) || "next" in entries) return false;
  for (const entry of entries as Iterable<unknown>) if (typeof entry !== "string") return false;
  return true;
}
