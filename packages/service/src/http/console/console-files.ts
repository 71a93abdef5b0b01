import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface ConsoleFile {
  readonly type: string;
  readonly content: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads the console files, less than a megabyte in total, by path with `/` as separator. Returns an
 * empty map if the console has not been built.
 */
export function readConsoleFiles(directory: URL): ReadonlyMap<string, ConsoleFile> {
  const root = fileURLToPath(directory);
  if (!existsSync(root)) return new Map();
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const path = name.replaceAll(sep, "/");
      return [[path, { type, content: readFileSync(join(root, name)) }] as const];
    }),
  );
}
