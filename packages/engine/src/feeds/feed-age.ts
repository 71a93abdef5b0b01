import type { FeedInfo } from "./feed-options.js";

export type LoadedFeed = Omit<FeedInfo, "ageMs">;

export function withAge(feed: LoadedFeed): FeedInfo {
  const { updatedAtMs } = feed;
  if (updatedAtMs === undefined) return feed;
  return { ...feed, ageMs: Math.max(0, Date.now() - updatedAtMs) };
}
