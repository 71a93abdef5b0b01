import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import {
  createFeedUpdater,
  FEED_KINDS,
  type FeedOptions,
  type FeedSource,
  type FeedUpdaterOptions,
} from "@riskgate/engine";

/** What a directory of feeds holds. */
export interface FeedsDirectory {
  /** Files that lie in it. */
  readonly files: readonly FeedOptions[];
  /** Copies of what is published. */
  readonly copies: readonly FeedOptions[];
  /** How to update the copies; undefined where its `feeds.json` names none. */
  readonly updates: Pick<FeedUpdaterOptions, "dir" | "feeds"> | undefined;
}

/** Lists that are published at URLs: a JSON array of objects with kind, name and url. */
const SOURCES_FILE = "feeds.json";

/** Folder of their copies. */
const COPIES = "copies";

/** Endings of files that can be a feed. */
const FEED_FILE = /\.(?:txt|csv|json|list|netset|ipset)$/;

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
    throw refusal(`the feeds directory cannot be read: ${directory}`, cause);
  }
  const files = names.sort().flatMap((name) => feedOf(directory, name));
  const updates = names.includes(SOURCES_FILE)
    ? { dir: join(directory, COPIES), feeds: await readSources(join(directory, SOURCES_FILE)) }
    : undefined;
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

async function readSources(path: string): Promise<FeedSource[]> {
  try {
    // What it holds is checked by the updater, which names the entry that is wrong.
    return JSON.parse(await readFile(path, "utf8")) as FeedSource[];
  } catch (cause) {
    throw refusal(`expected a JSON array of feeds in ${path}`, cause);
  }
}

function refusal(message: string, cause?: unknown): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message, {
    cause,
    hint: `Name each file by its kind, as in tor.txt or vpn-ipv4.txt (${FEED_KINDS.join(", ")}), or list URLs in ${SOURCES_FILE}`,
  });
}
