/** Receives a line, or undefined for one that is too long. */
export type OnLine = (line: string | undefined) => void;

/** A record has at most a few kilobytes. */
const MAX_LINE_BYTES = 64 * 1024;

const LINE_BREAK = 10;

/** Splits bytes into lines of UTF-8, with at most one line in memory. */
export class LineSplitter {
  readonly #onLine: OnLine;
  #rest: Buffer = Buffer.alloc(0);
  /** Inside a line that is too long. */
  #isSkipping = false;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      this.#line(chunk.subarray(start, end));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  end(): void {
    if (this.#rest.length > 0 || this.#isSkipping) this.#line(Buffer.alloc(0));
  }

  #line(bytes: Buffer): void {
    const line = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const isTooLong = this.#isSkipping || line.length > MAX_LINE_BYTES;
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = false;
    this.#onLine(isTooLong ? undefined : line.toString("utf8"));
  }

  #keep(bytes: Buffer): void {
    if (this.#isSkipping) return;
    // A copy, because the stream reuses the chunk.
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (this.#rest.length <= MAX_LINE_BYTES) return;
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = true;
  }
}
