import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../support/browser.js";
import { busyRoom } from "../../support/busy-room.js";
import { signIn, visit } from "../../support/console-room.js";

/** Where the pictures of the documents go, such as `docs/console`. */
const FOLDER = process.env["RISKGATE_PICTURES"];

const SIZES = [
  ["wide", 1440, 900, "light"],
  ["narrow", 360, 740, "dark"],
] as const;

describe.skipIf(!browserPath || FOLDER === undefined)(
  FOLDER === undefined ? "pictures are not made without RISKGATE_PICTURES" : "pictures",
  () => {
    const browser = sharedBrowser();

    it.each(SIZES)("are made of each page, %s", async (size, width, height, colorScheme) => {
      const { room, pages } = await busyRoom();
      const { page } = await visit(browser(), room, { viewport: { width, height }, colorScheme });
      mkdirSync(FOLDER!, { recursive: true });
      await page.goto("/console/");
      await signIn(page);
      for (const [name, path] of pages) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        expect(await page.getByRole("alert").count()).toBe(0);
        await page.screenshot({ path: join(FOLDER!, `${name}-${size}.png`) });
      }
    });
  },
);
