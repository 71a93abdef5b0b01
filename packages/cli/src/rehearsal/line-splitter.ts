/** Receives a line, or undefined for one that is too long to be held. */
export type OnLine = (line: string | undefined) => void;

/** A record has at most a few kilobytes. */
const MAX_LINE_BYTES = 64 * 1024;

const LINE_BREAK = 10;

/** Cuts bytes into lines of UTF-8, with one line in memory at most. */
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

  /** The last line may have no end. */
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
    // A copy: the chunk itself is used again by the stream.
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (this.#rest.length <= MAX_LINE_BYTES) return;
    this.#rest = Buffer.alloc(0);
    this.#isSkipping = true;
  }
}
