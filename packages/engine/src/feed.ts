import { open } from "node:fs/promises";
import { basename } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { jsonEntries } from "./feed-json.js";
import { entryOf } from "./feed-line.js";
import type { FeedInfo, FeedOptions } from "./feed-options.js";

/** One feed while it is loaded: its entries, and the count of what is and what is not one. */
export class Feed {
  readonly options: FeedOptions;
  readonly name: string;
  readonly #lines: readonly string[];
  /** How it begins, for the message that refuses it. */
  readonly #head: string;
  /** Unix time in milliseconds; undefined for a file that is not there yet. */
  readonly #updatedAtMs: number | undefined;
  #line = 0;
  #size = 0;
  #skipped = 0;
  #firstSkippedLine: number | undefined;

  constructor(
    options: FeedOptions,
    lines: readonly string[],
    updatedAtMs?: number,
    head: string = lines.slice(0, 50).join("\n").trimStart(),
  ) {
    this.options = options;
    this.name =
      options.name ?? (options.path === undefined ? options.kind : basename(options.path));
    this.#lines = lines;
    this.#updatedAtMs = updatedAtMs;
    this.#head = head;
  }

  /**
   * Read the lines of a feed.
   *
   * @throws {RiskGateError} CONFIG_INVALID when its file cannot be read.
   */
  static async read(options: FeedOptions): Promise<Feed> {
    const { kind, path } = options;
    if (path === undefined) return new Feed(options, Array.from(options.entries ?? []), Date.now());
    try {
      const { text, updatedAtMs } = await readWithTime(path);
      return Feed.parse(options, text, updatedAtMs);
    } catch (cause) {
      if (options.optional && (cause as NodeJS.ErrnoException).code === "ENOENT") {
        return new Feed(options, []);
      }
      const message = `the ${kind} feed ${path} cannot be read`;
      throw new RiskGateError("CONFIG_INVALID", message, { cause });
    }
  }

  /** Take a text apart: JSON, or lines; and nothing of a page, whose lines could look like entries. */
  static parse(options: FeedOptions, text: string, updatedAtMs: number): Feed {
    const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
    const head = body.slice(0, 2000).trimStart();
    if (head.startsWith("<")) return new Feed(options, [], updatedAtMs, head);
    const lines = /^[[{]/.test(head) ? jsonEntries(body) : linesOf(body);
    return new Feed(options, lines, updatedAtMs, head);
  }

  /** Each entry without its comment; what is none must be given back with {@link skip}. */
  *entries(): Generator<string> {
    for (let index = 0; index < this.#lines.length; index++) {
      const entry = entryOf(this.#lines[index]!);
      if (entry === "") continue;
      this.#line = index + 1;
      this.#size++;
      yield entry;
    }
  }

  /** The last entry was none. */
  skip(): void {
    this.#size--;
    this.#skipped++;
    this.#firstSkippedLine ??= this.#line;
  }

  /**
   * What there is to say about the feed once its entries have been gone through.
   *
   * @throws {RiskGateError} CONFIG_INVALID when a text, or a list that is not empty, holds no entry.
   */
  finish(): Omit<FeedInfo, "ageMs"> {
    const { kind, path, entries, source, licence } = this.options;
    const isText = entries === undefined && this.#updatedAtMs !== undefined;
    if (this.#size === 0 && (isText || this.#skipped > 0)) {
      const expected = kind === "disposable" ? "domains" : "IP addresses or CIDRs";
      const found = describe(this.#head, this.#lines.length);
      const message = `the ${kind} feed ${path ?? this.name} must hold ${expected}, given ${found}`;
      throw new RiskGateError("CONFIG_INVALID", message);
    }
    return {
      name: this.name,
      kind,
      size: this.#size,
      skipped: this.#skipped,
      loadedAtMs: Date.now(),
      ...(this.#firstSkippedLine !== undefined && { firstSkippedLine: this.#firstSkippedLine }),
      ...(this.#updatedAtMs !== undefined && { updatedAtMs: this.#updatedAtMs }),
      ...(path !== undefined && { path }),
      ...(source !== undefined && { source }),
      ...(licence !== undefined && { licence }),
    };
  }
}

/** A text has one kind of line ending nearly always, and to split at a text is several times faster. */
function linesOf(text: string): string[] {
  return text.includes("\r") ? text.split(/\r\n|[\r\n]/) : text.split("\n");
}

async function readWithTime(path: string): Promise<{ text: string; updatedAtMs: number }> {
  const file = await open(path);
  try {
    const { mtimeMs } = await file.stat();
    return { text: await file.readFile("utf8"), updatedAtMs: Math.round(mtimeMs) };
  } finally {
    await file.close();
  }
}

/** What a text is instead of a feed, without any of its words. */
function describe(head: string, lines: number): string {
  if (head === "") return "an empty file";
  if (head.startsWith("<")) return "HTML or XML";
  if (head.startsWith("{") || head.startsWith("[")) return "JSON without any that is known";
  if (/[\0\uFFFD]/.test(head)) return "binary data";
  return `${lines} lines without an entry`;
}
