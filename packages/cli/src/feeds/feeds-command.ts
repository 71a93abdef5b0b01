import { RiskGateError } from "@riskgate/core";
import { createEngine, type FeedOutcome } from "@riskgate/engine";
import type { Command } from "commander";
import { addAdminOptions, type AdminOptions, findRunning } from "../admin/admin-access.js";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { ageOf, describeOutcome } from "./describe-feed.js";
import { describeDownload, downloadFeeds } from "./download-feeds.js";
import { EXIT } from "../terminal/exit-code.js";
import { DEFAULT_FEEDS_DIR, feedsIn, openFeedsDirectory } from "./feeds-directory.js";
import { jsonLine } from "../terminal/printable.js";
import { formatList } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { addFeedsInitCommand } from "./feeds-init-command.js";

interface FeedsOptions extends AdminOptions {
  readonly feedsDir: string;
  readonly quiet?: true;
  readonly json?: true;
}

export function addFeedsCommand(program: Command, context: CommandContext): void {
  const { terminal, end } = context;
  const feeds = addCommand(program, "feeds", {
    summary: "choose, list and update feeds",
    description:
      "Choose, list and update a directory of feeds: files whose names begin with a kind, such as tor.txt or vpn-ipv4.txt, and copies of the published lists named in its feeds.json:\n" +
      '  [{ "kind": "datacenter", "name": "cloud", "url": "https://...", "licence": "..." }]',
  });
  addFeedsInitCommand(feeds, context);

  addCommand(feeds, "list", {
    summary: "list the feeds with their age",
    description: "Load every feed as the engine does, and list them with size, age and licence.",
    examples: { "riskgate feeds list": "List the feeds of a directory" },
  })
    .option("--feeds-dir <directory>", "the directory", DEFAULT_FEEDS_DIR)
    .option("--json", "print a JSON object")
    .action(async ({ feedsDir, json }: FeedsOptions) => {
      const engine = await createEngine({ feeds: await feedsIn(feedsDir) });
      const infos = engine.feeds();
      await engine.close();
      const head = ["NAME", "KIND", "ENTRIES", "SKIPPED", "AGE", "LICENCE", "SOURCE"];
      const rows = infos.map(({ name, kind, size, skipped, ageMs, licence = "", source = "" }) => [
        name,
        kind,
        String(size),
        String(skipped),
        ageOf(ageMs),
        licence,
        source,
      ]);
      await terminal.out.write(
        json ? jsonLine({ feeds: infos }) : formatList(head, rows, terminal.out),
      );
    });

  addAdminOptions(
    addCommand(feeds, "update", {
      summary: "download the lists that have changed",
      description:
        "Download every list of feeds.json that has changed, check it, and replace its copy. A list that fails keeps its last good copy and does not affect the others. A running service loads the new copies. The exit code is 1 if a list was refused.",
      examples: { "riskgate feeds update": "Update, and show the progress" },
    })
      .option("--feeds-dir <directory>", "the directory", DEFAULT_FEEDS_DIR)
      .option("--quiet", "show no progress"),
  )
    .option("--json", "print one JSON object per line for each feed")
    .action(async (options: FeedsOptions) => {
      const startedMs = performance.now();
      const outcomes = await update(options, terminal);
      for (const outcome of outcomes) {
        await terminal.out.write(
          options.json ? jsonLine(jsonOf(outcome)) : lineOf(outcome, terminal),
        );
      }
      if (!options.quiet && !options.json)
        await terminal.err.write(describeDownload(outcomes, startedMs));
      if (outcomes.some(({ state }) => state === "updated")) {
        const service = await findRunning(options, terminal);
        await service?.call("POST /feeds/reload");
      }
      end(outcomes.some(({ state }) => state === "refused") ? EXIT.no : EXIT.ok);
    });
}

async function update(
  { feedsDir, quiet }: FeedsOptions,
  { err }: Terminal,
): Promise<FeedOutcome[]> {
  const { updates } = await openFeedsDirectory(feedsDir);
  if (updates === undefined) {
    throw new RiskGateError("CONFIG_INVALID", `${feedsDir} has no feeds.json`, {
      hint: "Choose published lists with `riskgate feeds init`, or write the file: an array of objects with kind, name and url",
    });
  }
  return downloadFeeds(updates, quiet ? undefined : err);
}

function jsonOf(outcome: FeedOutcome): object {
  if (outcome.state !== "refused") return outcome;
  const { name, state, error } = outcome;
  return { name, state, error: { code: error.code, message: error.message, hint: error.hint } };
}

function lineOf(outcome: FeedOutcome, { out }: Terminal): string {
  const entries = outcome.state === "refused" ? 0 : outcome.entries;
  return describeOutcome(outcome, counted(entries, "entry", "entries"), out);
}
