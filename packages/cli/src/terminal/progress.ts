import type { Output } from "./terminal.js";

/** Shows how far something has come. */
export interface Progress {
  /** Show this state, now or soon. */
  show(text: string): void;
  /** Show this state at once, and keep it. */
  keep(text: string): void;
}

/** A terminal is updated ten times a second, a log every five seconds. */
const TERMINAL_MS = 100;
const LOG_MS = 5_000;

/** Begin to show progress: a terminal gets one line that changes, anything else a line at times. */
export function createProgress(
  output: Output,
  now: () => number = () => performance.now(),
): Progress {
  const everyMs = output.isTerminal ? TERMINAL_MS : LOG_MS;
  let shownAtMs = now();
  const write = (text: string, ending: string): void => {
    const start = output.isTerminal ? "\r\u001b[K" : "";
    void output.write(
      start + text.slice(0, output.isTerminal ? output.columns - 1 : undefined) + ending,
    );
  };
  return {
    show(text) {
      if (now() - shownAtMs < everyMs) return;
      shownAtMs = now();
      write(text, output.isTerminal ? "" : "\n");
    },
    keep: (text) => write(text, "\n"),
  };
}
