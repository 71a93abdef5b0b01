import { open } from "node:fs/promises";
import { basename } from "node:path";
import { RiskGateError } from "@riskgate/core";
import type { LoadedFeed } from "./feed-age.js";
import { jsonEntries } from "./feed-json.js";
import { entryOf } from "./feed-line.js";
import type { FeedOptions } from "./feed-options.js";

/** One feed during loading: its entries, and the counts of entries and other lines. */
export class Feed {
  readonly options: FeedOptions;
  readonly name: string;
  readonly #lines: Iterable<string>;
  readonly #head: string;
  readonly #updatedAtMs: number | undefined;
  #line = 0;
  #size = 0;
  #skipped = 0;
  #firstSkippedLine: number | undefined;

  constructor(options: FeedOptions, lines: Iterable<string>, updatedAtMs?: number, head = "") {
    this.options = options;
    this.name =
      options.name ?? (options.path === undefined ? options.kind : basename(options.path));
    this.#lines = lines;
    this.#updatedAtMs = updatedAtMs;
    this.#head = head;
  }

  /**
   * Reads the lines of a feed.
   * @throws {RiskGateError} CONFIG_INVALID if its file cannot be read.
   */
  static async read(options: FeedOptions): Promise<Feed> {
    const { kind, path } = options;
    if (path === undefined) {
      const entries = Array.from(options.entries ?? []);
      return new Feed(options, entries, Date.now(), entries.slice(0, 50).join("\n").trimStart());
    }
    try {
      const { text, updatedAtMs } = await readWithTime(path);
      return Feed.parse(options, text, updatedAtMs);
    } catch (cause) {
      if (options.optional && (cause as NodeJS.ErrnoException).code === "ENOENT") {
        return new Feed(options, []);
      }
      const { code = "unknown reason" } = cause as NodeJS.ErrnoException;
      const message = `the ${kind} feed ${path} cannot be read: ${code}`;
      throw new RiskGateError("CONFIG_INVALID", message, {
        cause,
        hint: "Check the path and the permissions of the file, or set `optional` for one that may be missing",
      });
    }
  }

  /** Parses JSON or lines; nothing from a web page, whose lines could look like entries. */
  static parse(options: FeedOptions, text: string, updatedAtMs: number): Feed {
    const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
    const head = body.slice(0, 2000).trimStart();
    if (head.startsWith("<")) return new Feed(options, [], updatedAtMs, head);
    const lines = /^[[{]/.test(head) ? jsonEntries(body) : linesOf(body);
    return new Feed(options, lines, updatedAtMs, head);
  }

  /** Yields each entry without its comment; call {@link skip} for invalid ones. */
  *entries(): Generator<string> {
    for (const line of this.#lines) {
      this.#line++;
      const entry = entryOf(line);
      if (entry === "") continue;
      this.#size++;
      yield entry;
    }
  }

  skip(): void {
    this.#size--;
    this.#skipped++;
    this.#firstSkippedLine ??= this.#line;
  }

  /**
   * Returns information about the feed once its entries have been iterated.
   * @throws {RiskGateError} CONFIG_INVALID if text, or a list that is not empty, contains no entry.
   */
  finish(): LoadedFeed {
    const { kind, path, entries, source, licence } = this.options;
    const isText = entries === undefined && this.#updatedAtMs !== undefined;
    if (this.#size === 0 && (isText || this.#skipped > 0)) {
      const expected = kind === "disposable" ? "domains" : "IP addresses or CIDRs";
      const found = describe(this.#head, this.#line);
      const message = `the ${kind} feed ${path ?? this.name} must hold ${expected}, given ${found}`;
      throw new RiskGateError("CONFIG_INVALID", message, {
        hint: "Put the list itself there, one entry a line or as JSON, or leave the feed out",
      });
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

function* linesOf(text: string): Generator<string> {
  const body = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  let from = 0;
  for (let to = body.indexOf("\n"); to >= 0; to = body.indexOf("\n", from)) {
    yield body.slice(from, to);
    from = to + 1;
  }
  yield body.slice(from);
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

/** Describes text that is not a feed, without quoting it. */
function describe(head: string, lines: number): string {
  if (head === "") return "an empty file";
  if (head.startsWith("<")) return "HTML or XML";
  if (head.startsWith("{") || head.startsWith("[")) return "JSON without any that is known";
  if (/[\0\uFFFD]/.test(head)) return "binary data";
  return `${lines === 1 ? "1 line" : `${lines} lines`} without an entry`;
}
