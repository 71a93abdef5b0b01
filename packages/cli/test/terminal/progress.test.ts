import { describe, expect, it } from "vitest";
import { createProgress } from "../../src/terminal/progress.js";
import type { Output } from "../../src/terminal/terminal.js";

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
    progress.clear();
    progress.clear();
    expect(written).toEqual(["\r\u001b[Klonger than one lin", "\r\u001b[K"]);
  });

  it("does not remove a line that it keeps", () => {
    const { written, progress } = progressOn(true);
    progress.show("half");
    progress.keep("all");
    progress.clear();
    expect(written).toEqual(["\r\u001b[Khalf", "\r\u001b[Kall\n"]);
  });

  it("writes lines without control characters to a log", () => {
    const { written, progress } = progressOn(false);
    progress.show("half");
    progress.clear();
    progress.keep("all");
    expect(written).toEqual(["half\n", "all\n"]);
  });
});
