import type { Output } from "./terminal.js";

export interface Progress {
  /** Shows this state, now or soon. */
  show(text: string): void;
  /** Removes the changing line, and prints the closing line if there is one. */
  close(text?: string): void;
}

/** Interval of updates: ten times a second on a terminal, every five seconds in a log. */
const TERMINAL_MS = 100;
const LOG_MS = 5_000;

/** Moves to the start of the line of a terminal and deletes the line. */
const CLEARED_LINE = "\r\u001b[K";

/** Shows progress: on a terminal in one changing line, elsewhere in occasional lines. */
export function createProgress(
  output: Output,
  now: () => number = () => performance.now(),
): Progress {
  const everyMs = output.isTerminal ? TERMINAL_MS : LOG_MS;
  let shownAtMs = now();
  let isChanging = false;
  const write = (text: string, ending: string): void => {
    const shown = output.isTerminal ? CLEARED_LINE + text.slice(0, output.columns - 1) : text;
    isChanging = ending === "";
    void output.write(shown + ending);
  };
  return {
    show(text) {
      if (now() - shownAtMs < everyMs) return;
      shownAtMs = now();
      write(text, output.isTerminal ? "" : "\n");
    },
    close(text) {
      if (isChanging) write("", "");
      isChanging = false;
      if (text !== undefined) void output.write(`${text}\n`);
    },
  };
}
