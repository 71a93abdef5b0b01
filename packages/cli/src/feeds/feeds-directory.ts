import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import {
  createFeedUpdater,
  FEED_KINDS,
  type FeedOptions,
  type FeedUpdaterOptions,
} from "@riskgate/engine";
import { FEED_SETTINGS, readFeedSettings, updatesOf } from "./feed-settings.js";
import { unreadable } from "../input/read-json.js";

/** What a directory of feeds holds. */
export interface FeedsDirectory {
  /** Files that lie in it. */
  readonly files: readonly FeedOptions[];
  /** Copies of what is published. */
  readonly copies: readonly FeedOptions[];
  /** How to update the copies; undefined where its `feeds.json` names none. */
  readonly updates: Pick<FeedUpdaterOptions, "dir" | "feeds"> | undefined;
}

/** Endings of files that can be a feed. */
const FEED_FILE = /\.(?:txt|csv|json|list|netset|ipset)$/;

/** Directory of `riskgate feeds` when none is named. */
export const DEFAULT_FEEDS_DIR = "feeds";

/**
 * Open a directory of feeds: files whose name begins with a kind, as `tor.txt` and `vpn-ipv4.txt`
 * do, and copies of the lists that `feeds.json` names.
 *
 * @throws {RiskGateError} CONFIG_INVALID when it cannot be read or names no feed.
 */
export async function openFeedsDirectory(directory: string): Promise<FeedsDirectory> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (cause) {
    throw unreadable(`the feeds directory ${directory}`, cause, "`riskgate feeds init` makes one");
  }
  const files = names.sort().flatMap((name) => feedOf(directory, name));
  const sources = await readFeedSettings(directory);
  const updates = sources && updatesOf(directory, sources);
  const copies = updates ? createFeedUpdater(updates).feeds : [];
  if (files.length + copies.length > 0) return { files, copies, updates };
  throw refusal(`the feeds directory contains no feed: ${directory}`);
}

/**
 * Open a directory for an engine: everything that is in it now.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export async function feedsIn(directory: string): Promise<readonly FeedOptions[]> {
  const { files, copies } = await openFeedsDirectory(directory);
  return [...files, ...copies];
}

function feedOf(directory: string, name: string): FeedOptions[] {
  const kind = FEED_KINDS.find((kind) => name.split(/[-_.]/, 1)[0] === kind);
  if (kind === undefined || !FEED_FILE.test(name)) return [];
  return [{ kind, name: name.replace(FEED_FILE, ""), path: join(directory, name) }];
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message, {
    hint: `Name each file by its kind, as in tor.txt or vpn-ipv4.txt (${FEED_KINDS.join(", ")}), or list URLs in ${FEED_SETTINGS}`,
  });
}
