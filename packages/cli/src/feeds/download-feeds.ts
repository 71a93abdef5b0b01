import { createFeedUpdater, type FeedOutcome, type FeedUpdaterOptions } from "@riskgate/engine";
import { printable } from "../terminal/printable.js";
import { createProgress } from "../terminal/progress.js";
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
  const updater = createFeedUpdater({
    ...updates,
    onProgress(step) {
      if (!progress) return;
      if (step.state === "started") underWay.set(step.name, "asked");
      else if (step.state === "receiving") underWay.set(step.name, `${step.bytes} bytes`);
      else {
        underWay.delete(step.name);
        progress.keep(`${printable(step.name)}: ${step.state}`);
      }
      progress.show(
        [...underWay].map(([name, state]) => `${printable(name)}: ${state}`).join("  "),
      );
    },
  });
  try {
    return await updater.update();
  } finally {
    progress?.clear();
  }
}
