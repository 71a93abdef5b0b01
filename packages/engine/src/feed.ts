import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { RiskGateError } from "@riskgate/core";
import type { FeedInfo, FeedOptions } from "./feed-options.js";

/** One feed while it is loaded: its entries, and the count of what is and what is not one. */
export class Feed {
  readonly options: FeedOptions;
  readonly name: string;
  readonly #lines: readonly string[];
  #line = 0;
  #size = 0;
  #skipped = 0;
  #firstSkippedLine: number | undefined;

  constructor(options: FeedOptions, lines: readonly string[]) {
    this.options = options;
    this.name =
      options.name ?? (options.path === undefined ? options.kind : basename(options.path));
    this.#lines = lines;
  }

  /**
   * Read the lines of a feed.
   *
   * @throws {RiskGateError} CONFIG_INVALID when its file cannot be read.
   */
  static async read(options: FeedOptions): Promise<Feed> {
    if (options.path === undefined) return new Feed(options, Array.from(options.entries ?? []));
    let text: string;
    try {
      text = await readFile(options.path, "utf8");
    } catch (cause) {
      const message = `the ${options.kind} feed ${options.path} cannot be read`;
      throw new RiskGateError("CONFIG_INVALID", message, { cause });
    }
    return new Feed(options, text.replace(/^\uFEFF/, "").split(/\r\n|[\r\n]/));
  }

  /** Each entry without its comment; what is none must be given back with {@link skip}. */
  *entries(): Generator<string> {
    for (const [index, line] of this.#lines.entries()) {
      // What follows an entry is a comment in every list of this kind, whichever sign opens it.
      const entry = /^[^#;]*/.exec(line)![0].trim();
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
   * @throws {RiskGateError} CONFIG_INVALID when a file, or a list that is not empty, holds no entry.
   */
  finish(): FeedInfo {
    const { kind, path, source, licence } = this.options;
    if (this.#size === 0 && (path !== undefined || this.#skipped > 0)) {
      const expected = kind === "disposable" ? "one domain" : "one IP address or CIDR";
      const found = describe(this.#lines);
      const message = `the ${kind} feed ${path ?? this.name} must hold ${expected} a line, given ${found}`;
      throw new RiskGateError("CONFIG_INVALID", message);
    }
    return {
      name: this.name,
      kind,
      size: this.#size,
      skipped: this.#skipped,
      loadedAtMs: Date.now(),
      ...(this.#firstSkippedLine !== undefined && { firstSkippedLine: this.#firstSkippedLine }),
      ...(path !== undefined && { path }),
      ...(source !== undefined && { source }),
      ...(licence !== undefined && { licence }),
    };
  }
}

/** What a text is instead of a feed, without any of its words. */
function describe(lines: readonly string[]): string {
  const head = lines.slice(0, 50).join("\n").trimStart();
  if (head === "") return "an empty file";
  if (head.startsWith("<")) return "HTML or XML";
  if (head.startsWith("{") || head.startsWith("[")) return "JSON";
  if (/[\0\uFFFD]/.test(head)) return "binary data";
  return `${lines.length} lines without an entry`;
}
