import type { FeedInfo } from "./feed-options.js";

/** What there is to say about a feed when it was loaded. */
export type LoadedFeed = Omit<FeedInfo, "ageMs">;

/** The same with how old the list is now. */
export function withAge(feed: LoadedFeed): FeedInfo {
  const { updatedAtMs } = feed;
  if (updatedAtMs === undefined) return feed;
  return { ...feed, ageMs: Math.max(0, Date.now() - updatedAtMs) };
}
