import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/run-cli.js";
import { createProgress } from "../../src/terminal/progress.js";
import { createTerminal, type Output } from "../../src/terminal/terminal.js";

/** Returns progress whose clock advances by ten seconds at every call, and what it writes. */
function progressOn(isTerminal: boolean) {
  const written: string[] = [];
  const output: Output = {
    isTerminal,
    columns: 20,
    paint: (_, text) => text,
    write(text) {
      written.push(text);
      return Promise.resolve();
    },
  };
  let nowMs = 0;
  return { written, progress: createProgress(output, () => (nowMs += 10_000)) };
}

describe("progress", () => {
  it("changes one line of a terminal, and removes it", () => {
    const { written, progress } = progressOn(true);
    progress.show("longer than one line");
    progress.close();
    progress.close();
    expect(written).toEqual(["\r\u001b[Klonger than one lin", "\r\u001b[K"]);
  });

  it("prints a closing line in its place", () => {
    const { written, progress } = progressOn(true);
    progress.show("half");
    progress.close("all");
    expect(written).toEqual(["\r\u001b[Khalf", "\r\u001b[K", "all\n"]);
  });

  it("writes lines without control characters to a log", () => {
    const { written, progress } = progressOn(false);
    progress.show("half");
    progress.close("all");
    expect(written).toEqual(["half\n", "all\n"]);
  });
});

/** Returns the lines that a terminal shows after these bytes. */
function screenOf(text: string): string[] {
  return text.split("\n").map((line) => line.split("\r\u001b[K").at(-1)!);
}

describe("a command with progress", () => {
  it("leaves only its closing line on the terminal", async () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const stdout = new PassThrough();
    stdout.resume();
    const ips = Array.from({ length: 40_000 }, (_, at) => `9.9.${at >> 8}.${at & 255}\n`);
    const terminal = createTerminal({
      env: {},
      stdin: Readable.from([ips.join("")]),
      stdout,
      stderr,
      once: process.once.bind(process),
      exit: () => {
        throw new Error("for the test");
      },
    });
    expect(await runCli(["lookup", "ip"], terminal)).toBe(0);
    const written = String(stderr.read());
    expect(written).toContain("\r\u001b[K");
    expect(screenOf(written)).toEqual([
      expect.stringMatching(/^40000 looked up: 0 to flag, .* in \d+\.\d s$/),
      "",
    ]);
  });
});
