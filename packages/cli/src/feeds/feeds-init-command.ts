import { RiskGateError } from "@riskgate/core";
import {
  FEED_KINDS,
  type FeedCoverage,
  type FeedKind,
  type FeedOutcome,
  type FeedSource,
  measureFeeds,
} from "@riskgate/engine";
import { type Command, Option } from "commander";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { describeCatalogue, describeCoverage, describeOutcome } from "./describe-feed.js";
import { describeDownload, downloadFeeds } from "./download-feeds.js";
import { EXIT } from "../terminal/exit-code.js";
import { FEED_CATALOGUE, type PublishedFeed, urlOn } from "./feed-catalogue.js";
import { FEED_SETTINGS, readFeedSettings, updatesOf, writeFeedSettings } from "./feed-settings.js";
import { DEFAULT_FEEDS_DIR, openFeedsDirectory } from "./feeds-directory.js";
import { httpUrl } from "../options/http-url.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { ask, canAsk } from "../terminal/question.js";
import type { Output, Terminal } from "../terminal/terminal.js";

interface InitOptions {
  readonly feedsDir: string;
  readonly kind?: readonly FeedKind[];
  readonly feed?: readonly string[];
  readonly mirror?: URL;
  readonly list?: true;
  readonly yes?: true;
  readonly quiet?: true;
  readonly json?: true;
}

export function addFeedsInitCommand(feeds: Command, { terminal, end }: CommandContext): void {
  addCommand(feeds, "init", {
    summary: "choose published lists, and download them",
    description: `Show published lists by kind with their licence, size and address, write the chosen ones to ${FEED_SETTINGS}, download them, and show how many entries each adds. Existing entries of ${FEED_SETTINGS} do not change. Nothing is downloaded before you answer in the terminal or give --yes. The exit code is 1 if a list was refused: it remains in the settings, and the next update tries it again.`,
    examples: {
      "riskgate feeds init": "Read the lists and choose",
      "riskgate feeds init --feeds-dir feeds --kind tor vpn --yes": "In a script",
      "riskgate feeds init --feed aws --mirror https://mirror.example/lists --yes":
        "From a mirror, whose paths begin with the original host names",
    },
  })
    .option(
      "--dir, --feeds-dir <directory>",
      "the directory, which is created if necessary",
      DEFAULT_FEEDS_DIR,
    )
    .addOption(
      new Option("--kind <kinds...>", "offer only lists of these kinds").choices(FEED_KINDS),
    )
    .addOption(
      new Option("--feed <names...>", "offer only these lists").choices(
        FEED_CATALOGUE.map(({ name }) => name),
      ),
    )
    .option("--yes", "choose every offered list, without a question")
    .option("--list", "show the lists, and do nothing else")
    .option(
      "--mirror <url>",
      "fetch from <url>/<host>/<path> instead of https://<host>/<path>, now and in updates",
      httpUrl,
    )
    .option("--quiet", "show no progress")
    .option("--json", "print one JSON object per line for each list; with --yes or --list")
    .action(async (options: InitOptions) => {
      const offered = offeredBy(options);
      if (options.list) {
        await terminal.out.write(
          options.json ? offered.map(jsonLine).join("") : describeCatalogue(offered),
        );
        return;
      }
      const chosen = await choose(offered, options, terminal);
      if (chosen.length > 0) end(await fetchChosen(chosen, options, terminal));
      else await terminal.out.write("Nothing was chosen or downloaded.\n");
    });
}

function offeredBy({ kind, feed }: InitOptions): readonly PublishedFeed[] {
  if (kind === undefined && feed === undefined) return FEED_CATALOGUE;
  return FEED_CATALOGUE.filter((one) => kind?.includes(one.kind) || feed?.includes(one.name));
}

async function choose(
  offered: readonly PublishedFeed[],
  { kind, feed, yes, json }: InitOptions,
  terminal: Terminal,
): Promise<readonly PublishedFeed[]> {
  if (yes) return offered;
  if (json || !canAsk(terminal)) {
    throw new RiskGateError("CONFIG_INVALID", "nothing is downloaded without an answer", {
      hint: "Show the lists with --list, then choose with --yes and --kind or --feed",
    });
  }
  await terminal.out.write(`${describeCatalogue(offered)}\n`);
  if (kind !== undefined || feed !== undefined) {
    const answer = await ask(`Fetch ${offered.length === 1 ? "it" : "them"}? [y/N] `, terminal);
    return /^y(?:es)?$/i.test(answer) ? offered : [];
  }
  const answer = await ask("Choose names, kinds or `all` (empty to choose nothing): ", terminal);
  const words = answer.split(/[\s,]+/).filter((word) => word !== "");
  return named(words, offered);
}

function named(
  words: readonly string[],
  offered: readonly PublishedFeed[],
): readonly PublishedFeed[] {
  const isMeant = ({ name, kind }: PublishedFeed, word: string): boolean =>
    [name, kind, "all"].includes(word);
  const unknown = words.find((word) => !offered.some((feed) => isMeant(feed, word)));
  if (unknown === undefined) {
    return offered.filter((feed) => words.some((word) => isMeant(feed, word)));
  }
  throw new RiskGateError("CONFIG_INVALID", `neither a list nor a kind: ${unknown}`, {
    hint: "Nothing was downloaded; answer with names or kinds from the list above",
  });
}

async function fetchChosen(
  chosen: readonly PublishedFeed[],
  { feedsDir, mirror, quiet, json }: InitOptions,
  { out, err }: Terminal,
): Promise<(typeof EXIT)["ok" | "no"]> {
  const before = (await readFeedSettings(feedsDir)) ?? [];
  const added = chosen
    .map((feed) => sourceOf(feed, mirror))
    .filter(({ name }) => !before.some((one) => isNamed(one, name)));
  const settings = [...before, ...added];
  for (const feed of chosen) {
    const known = before.find((one) => isNamed(one, feed.name));
    if (known && known.url !== urlOn(mirror, feed.url)) {
      await err.write(`${feed.name}: keeps its address in ${FEED_SETTINGS}\n`);
    }
  }
  if (added.length > 0) await writeFeedSettings(feedsDir, settings);
  const wanted = settings.filter((one) => chosen.some(({ name }) => isNamed(one, name)));
  const startedMs = performance.now();
  const outcomes = await downloadFeeds(updatesOf(feedsDir, wanted), quiet ? undefined : err);
  const coverages = await coveragesOf(feedsDir, wanted);
  for (const [index, outcome] of outcomes.entries()) {
    const found: Found = { source: wanted[index]!, outcome, coverage: coverages[index]! };
    await out.write(json ? jsonLine(jsonOf(found)) : textOf(found, out));
  }
  if (!quiet && !json) await err.write(describeDownload(outcomes, startedMs));
  if (!json) {
    await out.write(
      `\nThe settings are in ${printable(feedsDir)}/${FEED_SETTINGS}. Use the lists with --feeds-dir ${printable(feedsDir)}, for example in \`riskgate serve\`.\n`,
    );
  }
  return outcomes.some(({ state }) => state === "refused") ? EXIT.no : EXIT.ok;
}

interface Found {
  readonly source: FeedSource;
  readonly outcome: FeedOutcome;
  readonly coverage: FeedCoverage;
}

function sourceOf(
  { kind, name, url, licence }: PublishedFeed,
  mirror: URL | undefined,
): FeedSource {
  return { kind, name, url: urlOn(mirror, url), licence, ...(mirror && { source: url }) };
}

/** Compares names case-insensitively: no two differ only in case. */
function isNamed(source: FeedSource, name: string): boolean {
  return source.name.toLowerCase() === name.toLowerCase();
}

/**
 * Counts the entries that each list adds to the directory's other feeds and to the lists before it.
 */
async function coveragesOf(
  feedsDir: string,
  wanted: readonly FeedSource[],
): Promise<readonly FeedCoverage[]> {
  const { files, copies } = await openFeedsDirectory(feedsDir);
  const isWanted = (name: string | undefined): boolean => wanted.some((one) => one.name === name);
  const others = [...files, ...copies.filter(({ name }) => !isWanted(name))];
  const lists = copies.filter(({ name }) => isWanted(name));
  return (await measureFeeds([...others, ...lists])).slice(others.length);
}

function jsonOf({ source: { name, kind, licence }, outcome, coverage }: Found): object {
  const { state } = outcome;
  if (state !== "refused") {
    const { entries, covered, added } = coverage;
    return { name, kind, state, licence, entries, covered, added };
  }
  const { code, message, hint } = outcome.error;
  return { name, kind, state, licence, error: { code, message, hint } };
}

function textOf({ source, outcome, coverage }: Found, out: Output): string {
  const licence = printable(source.licence ?? "none stated");
  const details = `${describeCoverage(coverage)}; ${source.kind}; licence: ${licence}`;
  return describeOutcome(outcome, details, out);
}
