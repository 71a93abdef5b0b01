import { readFile } from "node:fs/promises";
import { RiskGateError } from "@riskgate/core";
import { unreadable } from "./read-json.js";
import type { Terminal } from "../terminal/terminal.js";

/** Most bytes of a body that is read whole. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Longest line that can be an identifier, with room for blanks around it. */
const MAX_LINE_BYTES = 4096;

/**
 * Read a body from a file, or from standard input without one or for `-`.
 *
 * @throws {RiskGateError} CONFIG_INVALID when it cannot be read.
 */
export async function readInput(file: string | undefined, { stdin }: Terminal): Promise<Buffer> {
  if (file !== undefined && file !== "-") {
    try {
      return await readFile(file);
    } catch (cause) {
      throw unreadable(`the file ${file}`, cause);
    }
  }
  refuseKeyboard(stdin);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw refusal("standard input is larger than 256 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Read standard input line by line, without blank lines and what follows `#`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a line too long to be held.
 */
export async function* readLines({ stdin }: Terminal): AsyncGenerator<string> {
  refuseKeyboard(stdin);
  let rest = "";
  stdin.setEncoding("utf8");
  for await (const chunk of stdin as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_BYTES)
      throw refusal("a line of standard input is longer than 4 KiB");
    for (const line of lines) if (wordOf(line)) yield wordOf(line);
  }
  if (wordOf(rest)) yield wordOf(rest);
}

/** A `#` may be part of an email, so that only one at the start, or after a blank, is a comment. */
function wordOf(line: string): string {
  return line.replace(/(?:^|\s)#.*/, "").trim();
}

/** Waiting for typed input would look as if nothing happened. */
function refuseKeyboard(stdin: Terminal["stdin"]): void {
  if (stdin.isTTY) throw refusal("expected a file or standard input");
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message, {
    hint: "Pipe into the command, or name a file; see --help",
  });
}
