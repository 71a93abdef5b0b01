import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** As root it has no sandbox; all that it opens is ours. By itself it asks nobody for anything. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A browser of this machine; undefined if none is installed. */
export const browserPath: string | undefined = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isProgram);

/** One browser for all tests of a file; to be asked for within them. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (browserPath === undefined) return;
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({ executablePath: browserPath, args: FLAGS });
  }, 180_000);
  afterAll(async () => browser?.close());
  return () => browser!;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
