import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { makeDirectory, replaceFile } from "@riskgate/core/internal";
import { createFeedUpdater, type FeedSource, type FeedUpdaterOptions } from "@riskgate/engine";
import { parseJson, unreadable } from "../input/read-json.js";

/** File in a feeds directory with the settings of published lists, as a JSON array. */
export const FEED_SETTINGS = "feeds.json";

const COPIES = "copies";

/** Error codes of a missing file; the second occurs if its directory is a file. */
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

export function updatesOf(
  directory: string,
  feeds: readonly FeedSource[],
): Pick<FeedUpdaterOptions, "dir" | "feeds"> {
  return { dir: join(directory, COPIES), feeds };
}

/**
 * Reads the published lists of a feeds directory.
 *
 * @returns Undefined if the file does not exist.
 * @throws {RiskGateError} CONFIG_INVALID for any other content.
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
  // The updater checks each entry, and names an invalid one.
  createFeedUpdater(updatesOf(directory, feeds));
  return feeds;
}

/**
 * Stores the settings of published lists in a feeds directory, which it creates if necessary.
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
      hint: "Check the permissions of the directory, or choose another one",
    });
  }
}
