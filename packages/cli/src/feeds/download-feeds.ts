import { createFeedUpdater, type FeedOutcome, type FeedUpdaterOptions } from "@riskgate/engine";
import { counted } from "../terminal/counted.js";
import { printable } from "../terminal/printable.js";
import { createProgress } from "../terminal/progress.js";
import { secondsSince } from "../terminal/seconds-since.js";
import type { Output } from "../terminal/terminal.js";

/**
 * Downloads the published lists that have changed.
 *
 * @param output Receives the progress; undefined to show none.
 */
export async function downloadFeeds(
  updates: Pick<FeedUpdaterOptions, "dir" | "feeds">,
  output: Output | undefined,
): Promise<FeedOutcome[]> {
  const progress = output && createProgress(output);
  const underWay = new Map<string, string>();
  let done = 0;
  const updater = createFeedUpdater({
    ...updates,
    onProgress(step) {
      if (step.state === "started") underWay.set(step.name, "requested");
      else if (step.state === "receiving") underWay.set(step.name, `${step.bytes} bytes`);
      else if (underWay.delete(step.name)) done++;
      const states = [...underWay].map(([name, state]) => `${printable(name)}: ${state}`);
      progress?.show([`${done} of ${counted(updates.feeds.length, "list")}`, ...states].join("  "));
    },
  });
  try {
    return await updater.update();
  } finally {
    progress?.close();
  }
}

/** Describes a finished download in one line. */
export function describeDownload(outcomes: readonly FeedOutcome[], startedMs: number): string {
  const count = (state: FeedOutcome["state"]): number =>
    outcomes.filter((outcome) => outcome.state === state).length;
  return `${counted(outcomes.length, "list")}: ${count("updated")} updated, ${count("unchanged")} unchanged, ${count("refused")} refused in ${secondsSince(startedMs)}\n`;
}
