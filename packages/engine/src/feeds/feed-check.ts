import { RiskGateError } from "@riskgate/core";
import { readDomains } from "./disposable-domains.js";
import { Feed } from "./feed.js";
import type { ResolvedSource } from "./feed-source.js";
import { createIpFeeds } from "./ip-feeds.js";

/** How a list may differ from the one it replaces. */
export interface FeedLimits {
  /** Entries of the list in use, or undefined for the first one. */
  readonly entriesBefore: number | undefined;
  /** Largest share of them that may go at once, 0 to 1. */
  readonly maxShrink: number;
}

/**
 * Check a list that was received, exactly as the engine will read it.
 *
 * @returns How many entries it has.
 * @throws {RiskGateError} INVALID_RESPONSE for something other than a list, for mostly invalid lines, or where the list lost too
 *   many of its entries.
 */
export async function checkList(
  source: ResolvedSource,
  body: Buffer,
  limits: FeedLimits,
): Promise<number> {
  const { size, skipped } = await count(source, body);
  if (skipped > size) {
    throw refusal(`expected a list of entries, given ${skipped} others beside ${size}`);
  }
  const { entriesBefore = 0, maxShrink } = limits;
  if (size < entriesBefore * (1 - maxShrink)) {
    throw refusal(`expected about ${entriesBefore} entries as before, given ${size}`);
  }
  return size;
}

async function count(
  { kind, name }: ResolvedSource,
  body: Buffer,
): Promise<{ size: number; skipped: number }> {
  const feed = Feed.parse({ kind, name }, body.toString("utf8"), 0);
  if (kind === "disposable") await readDomains(feed, () => {});
  else await createIpFeeds([feed]);
  try {
    return feed.finish();
  } catch (cause) {
    throw refusal((cause as RiskGateError).message);
  }
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("INVALID_RESPONSE", message, {
    hint: "Check the URL; if the list is right, raise `maxShrink` or remove the old copy",
  });
}
