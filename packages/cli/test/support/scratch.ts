import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Make a directory that is removed when the tests of the file are over. */
export function scratchDirectory(parent: string = tmpdir()): {
  path: string;
  file(name: string, text: string): string;
} {
  const path = mkdtempSync(join(parent, "riskgate-cli-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file(name, text) {
      const file = join(path, name);
      writeFileSync(file, text);
      return file;
    },
  };
}
