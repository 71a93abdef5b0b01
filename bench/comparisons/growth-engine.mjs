import { inChild } from "../lib/child.mjs";

const FEEDS = new URL("../workers/feed-growth.mjs", import.meta.url);
const LEDGER = new URL("../workers/ledger-growth.mjs", import.meta.url);

/** Subjects of a ledger: its events are theirs in turn, as many for each of them. */
const MOST_SUBJECTS = 1_000_000;

/** How lookups and the ledger grow, each size in a process of its own. @param {{ quick: boolean }} options */
export function engineGrowth({ quick }) {
  return [
    feeds(quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]),
    ledger(quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000, 10_000_000]),
  ];
}

/** @param {readonly number[]} counts */
function feeds(counts) {
  return {
    name: "ranges in a feed, cost of a lookup",
    figure: "ns",
    baseline: labelOf(counts[0] ?? 0),
    rounds: 3,
    warmUp: false,
    open: async () => ({
      variants: counts.map((networks) => ({
        name: labelOf(networks),
        measure: () => inChild(FEEDS, { networks }),
      })),
    }),
  };
}

/** @param {readonly number[]} counts */
function ledger(counts) {
  return {
    name: "events in the ledger, cost of one",
    figure: "us",
    baseline: labelOf(counts[0] ?? 0),
    rounds: 3,
    warmUp: false,
    open: async () => ({
      variants: counts.map((events) => ({
        name: labelOf(events),
        measure: () => inChild(LEDGER, { events, subjects: Math.min(events, MOST_SUBJECTS) }),
      })),
    }),
  };
}

/** @param {number} count */
const labelOf = (count) => count.toLocaleString("en");
