import { readFile } from "node:fs/promises";
import { RiskGateError } from "@riskgate/core";
import { unreadable } from "./read-json.js";
import type { Terminal } from "../terminal/terminal.js";

const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Maximum length of a line with an identifier, including whitespace. */
const MAX_LINE_BYTES = 4096;

/**
 * Reads a body from a file, or from standard input if none is given or for `-`.
 *
 * @throws {RiskGateError} CONFIG_INVALID if it cannot be read.
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
 * Reads standard input line by line, without blank lines and comments after `#`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a line that is too long.
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

/**
 * An email may contain `#`, so a comment starts only at the start of a line or after whitespace.
 */
function wordOf(line: string): string {
  return line.replace(/(?:^|\s)#.*/, "").trim();
}

/** Refuses a terminal: waiting for typed input would look like a hang. */
function refuseKeyboard(stdin: Terminal["stdin"]): void {
  if (stdin.isTTY) throw refusal("expected a file or standard input");
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message, {
    hint: "Pipe into the command, or name a file; see --help",
  });
}
