import { createInterface } from "node:readline";
import type { Terminal } from "./terminal.js";

/** Whether somebody sits there to answer. */
export function canAsk({ stdin, out }: Terminal): boolean {
  return stdin.isTTY === true && out.isTerminal;
}

/** Ask a question on the terminal; gives the line typed, empty at the end of the input. */
export async function ask(question: string, { stdin, out }: Terminal): Promise<string> {
  await out.write(question);
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
  }
}
