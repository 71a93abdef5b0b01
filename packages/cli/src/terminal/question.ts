import { createInterface } from "node:readline";
import type { Terminal } from "./terminal.js";

export function canAsk({ stdin, out }: Terminal): boolean {
  return stdin.isTTY === true && out.isTerminal;
}

/** Asks questions in order. Lines typed ahead are used as replies. */
export interface Dialogue {
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

export async function ask(question: string, terminal: Terminal): Promise<string> {
  const dialogue = openDialogue(terminal);
  try {
    return await dialogue.ask(question);
  } finally {
    dialogue.close();
  }
}
