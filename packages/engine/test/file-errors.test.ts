import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../src/engine.js";
import type { EngineOptions } from "../src/engine-options.js";

async function scratch(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "riskgate-files-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

describe("a file that cannot be used", () => {
  it.each<[string, (path: string) => EngineOptions, string | undefined, RegExp, RegExp]>([
    ["a missing geo database", (path) => ({ geo: { path } }), undefined, /is missing/, /path/],
    ["no geo database", (path) => ({ geo: { path } }), "text", /damaged, or not/, /Download/],
    [
      "a missing feed",
      (path) => ({ feeds: [{ kind: "tor", path }] }),
      undefined,
      /tor feed .* cannot be read: ENOENT/,
      /path/,
    ],
    [
      "a page as a feed",
      (path) => ({ feeds: [{ kind: "tor", path }] }),
      "<html>",
      /tor feed .* given HTML/,
      /list itself/,
    ],
  ])("is named with the reason and a remedy: %s", async (_label, options, text, message, hint) => {
    const path = join(await scratch(), "file");
    if (text !== undefined) await writeFile(path, text);
    const error: unknown = await createEngine(options(path)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message) as string,
      hint: expect.stringMatching(hint) as string,
    });
    expect((error as Error).message).toContain(path);
  });
});
