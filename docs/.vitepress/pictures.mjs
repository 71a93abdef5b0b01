// Makes the pictures of the console: starts a service, plays a day with an attack to it, and takes
// screenshots, light and dark. It needs the built packages and Chromium.
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { ADMIN_TOKEN, openAttackedShop } from "./attacked-shop.mjs";

const MAX_BYTES = 200_000;
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const folder = fileURLToPath(new URL("../console", import.meta.url));

const executablePath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((directory) => NAMES.map((name) => join(directory, name)))
  .find(isProgram);
if (executablePath === undefined) throw new Error("pictures need Chromium on the PATH");

const shop = await openAttackedShop();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage({
    baseURL: shop.consoleUrl,
    viewport: { width: 1280, height: 800 },
    // Colours change at once.
    reducedMotion: "reduce",
  });
  await page.goto("/console/");
  await page.getByLabel("Administration token").fill(ADMIN_TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation").first().waitFor();
  await page.waitForLoadState("networkidle");
  // Away from everything that shows the pointer.
  await page.mouse.move(0, 0);
  // Both of the same moment: the incidents end soon.
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme });
    const file = join(folder, `overview-${colorScheme}.png`);
    await page.screenshot({ path: file });
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}`);
    console.log(`${file}: ${size} bytes`);
  }
} finally {
  await browser.close();
  await shop.close();
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
