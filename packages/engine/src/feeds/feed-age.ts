import type { FeedInfo } from "./feed-options.js";

/** Information about a feed at the time of loading. */
export type LoadedFeed = Omit<FeedInfo, "ageMs">;

/** Adds the current age of the list. */
export function withAge(feed: LoadedFeed): FeedInfo {
  const { updatedAtMs } = feed;
  if (updatedAtMs === undefined) return feed;
  return { ...feed, ageMs: Math.max(0, Date.now() - updatedAtMs) };
}
