import type { FeedCoverage, FeedOutcome, FeedReach } from "@riskgate/engine";
import { printable } from "../terminal/printable.js";
import type { Output } from "../terminal/terminal.js";
import type { PublishedFeed } from "./feed-catalogue.js";

const HOUR_MS = 3_600_000;

export function ageOf(ageMs: number | undefined): string {
  if (ageMs === undefined) return "missing";
  const hours = Math.floor(ageMs / HOUR_MS);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

export function describeCatalogue(feeds: readonly PublishedFeed[]): string {
  const kinds = [...new Set(feeds.map(({ kind }) => kind))];
  return kinds
    .map((kind) => {
      const entries = feeds.filter((feed) => feed.kind === kind).map(describePublished);
      return `${kind}\n${entries.join("")}`;
    })
    .join("\n");
}

function describePublished(feed: PublishedFeed): string {
  const { name, content, maintainer, licence, url, everyHours } = feed;
  const renewed = everyHours === undefined ? "" : `; renewed every ${everyHours} h`;
  return (
    `  ${name}\n` +
    `      ${content}; by ${maintainer}\n` +
    `      licence: ${licence}; ${sizeOf(feed)}${renewed}\n` +
    `      ${url}\n`
  );
}

function sizeOf({ entries, bytes }: PublishedFeed): string {
  const parts = [
    ...(entries === undefined
      ? []
      : [`${grouped(entries)} ${entries === 1 ? "entry" : "entries"}`]),
    ...(bytes === undefined ? [] : [`${grouped(Math.round(bytes / 1000))} kB`]),
  ];
  return parts.length === 0 ? "size unknown" : `about ${parts.join(", ")}`;
}

/** Describes what a feed covers, and how much of that is not in the feeds before it. */
export function describeCoverage({ entries, covered, added }: FeedCoverage): string {
  const parts = UNITS.filter(([unit]) => covered[unit] > 0).map(
    ([unit, noun]) => `${grouped(covered[unit])} ${noun} (${grouped(added[unit])} new)`,
  );
  return [`${grouped(entries)} ${entries === 1 ? "entry" : "entries"}`, ...parts].join(", ");
}

const UNITS: readonly (readonly [keyof FeedReach, string])[] = [
  ["ipv4Addresses", "IPv4 addresses"],
  ["ipv6Networks", "IPv6 networks of /64"],
  ["domains", "domains"],
];

/** Formats the outcome of an update as one line; `details` describe an accepted list. */
export function describeOutcome(outcome: FeedOutcome, details: string, out: Output): string {
  const { name, state } = outcome;
  const isRefused = state === "refused";
  const tones = { refused: "bad", updated: "good", unchanged: "dim" } as const;
  const text = isRefused
    ? `${printable(outcome.error.message)}. ${printable(outcome.error.hint)}`
    : details;
  return `${out.paint(tones[state], state.padEnd(9))}  ${printable(name)}: ${text}\n`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
