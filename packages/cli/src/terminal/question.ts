import { createInterface } from "node:readline";
import type { Terminal } from "./terminal.js";

/** Whether somebody sits there to answer. */
export function canAsk({ stdin, out }: Terminal): boolean {
  return stdin.isTTY === true && out.isTerminal;
}

/** Questions one after the other: what was typed ahead answers the next. */
export interface Dialogue {
  /** Gives the line typed, without blanks around it; empty at the end of the input. */
  ask(question: string): Promise<string>;
  close(): void;
}

export function openDialogue({ stdin, out }: Terminal): Dialogue {
  const reader = createInterface({ input: stdin });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(question) {
      await out.write(question);
      const line = await lines.next();
      return line.done ? "" : line.value.trim();
    },
    close: () => reader.close(),
  };
}

/** Ask one question on the terminal; gives the line typed, empty at the end of the input. */
export async function ask(question: string, terminal: Terminal): Promise<string> {
  const dialogue = openDialogue(terminal);
  try {
    return await dialogue.ask(question);
  } finally {
    dialogue.close();
  }
}
