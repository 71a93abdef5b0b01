import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { makeDirectory, replaceFile } from "@riskgate/core/internal";
import { createFeedUpdater, type FeedSource, type FeedUpdaterOptions } from "@riskgate/engine";
import { parseJson, unreadable } from "../input/read-json.js";

/** File of a directory of feeds that names published lists: a JSON array of their settings. */
export const FEED_SETTINGS = "feeds.json";

/** Folder of their copies. */
const COPIES = "copies";

/** Codes of a file that is not there; the second where its directory is a file. */
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/** How to update the copies of published lists. */
export function updatesOf(
  directory: string,
  feeds: readonly FeedSource[],
): Pick<FeedUpdaterOptions, "dir" | "feeds"> {
  return { dir: join(directory, COPIES), feeds };
}

/**
 * Read which published lists a directory of feeds names.
 *
 * @returns Undefined where there is no such file.
 * @throws {RiskGateError} CONFIG_INVALID when it cannot be read or holds anything else.
 */
export async function readFeedSettings(
  directory: string,
): Promise<readonly FeedSource[] | undefined> {
  const path = join(directory, FEED_SETTINGS);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if (ABSENT.has((cause as NodeJS.ErrnoException).code)) return undefined;
    throw unreadable(`the file ${path}`, cause);
  }
  const feeds = (await parseJson(text, path)) as readonly FeedSource[];
  // The updater checks what they hold, and names the entry that is wrong.
  createFeedUpdater(updatesOf(directory, feeds));
  return feeds;
}

/**
 * Name published lists in a directory of feeds, which is made if there is none.
 *
 * @throws {RiskGateError} CONFIG_INVALID for settings that would be refused; STORE_FAILED
 */
export async function writeFeedSettings(
  directory: string,
  feeds: readonly FeedSource[],
): Promise<void> {
  createFeedUpdater(updatesOf(directory, feeds));
  const path = join(directory, FEED_SETTINGS);
  try {
    await makeDirectory(directory);
    await replaceFile(path, Buffer.from(`${JSON.stringify(feeds, null, 2)}\n`));
  } catch (cause) {
    const { code = "unknown reason" } = cause as NodeJS.ErrnoException;
    throw new RiskGateError("STORE_FAILED", `${path} cannot be written: ${code}`, {
      cause,
      hint: "Give access to the directory, or name another one",
    });
  }
}
