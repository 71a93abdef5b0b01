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

export interface FeedsDirectory {
  readonly files: readonly FeedOptions[];
  readonly copies: readonly FeedOptions[];
  /** Settings for updates of the copies; undefined without published lists. */
  readonly updates: Pick<FeedUpdaterOptions, "dir" | "feeds"> | undefined;
}

const FEED_FILE = /\.(?:txt|csv|json|list|netset|ipset)$/;

/** Default directory of `riskgate feeds`. */
export const DEFAULT_FEEDS_DIR = "feeds";

/**
 * Opens a feeds directory: files whose names begin with a kind, such as `tor.txt` and `vpn-
 * ipv4.txt`, and copies of the lists in `feeds.json`.
 *
 * @throws {RiskGateError} CONFIG_INVALID if it cannot be read or has no feed.
 */
export async function openFeedsDirectory(directory: string): Promise<FeedsDirectory> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (cause) {
    throw unreadable(
      `the feeds directory ${directory}`,
      cause,
      "Create it with `riskgate feeds init`",
    );
  }
  const files = names.sort().flatMap((name) => feedOf(directory, name));
  const sources = await readFeedSettings(directory);
  const updates = sources && updatesOf(directory, sources);
  const copies = updates ? createFeedUpdater(updates).feeds : [];
  if (files.length + copies.length > 0) return { files, copies, updates };
  throw refusal(`the feeds directory contains no feed: ${directory}`);
}

/**
 * Opens a feeds directory for an engine, with its current files and copies.
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
