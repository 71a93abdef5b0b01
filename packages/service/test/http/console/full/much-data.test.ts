import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { brokenWords } from "../../../support/broken-words.js";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import { openPage } from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { pagesOf, sharedFullRoom } from "../../../support/full-room.js";
import { DECISIONS, EVENTS, INCIDENTS } from "../../../support/full-storage.js";
import { openGuardedApp } from "../../../support/guarded-app.js";
import { overflowOf } from "../../../support/overflow-of.js";

const WIDTHS = [1440, 768, 360];

/** Nothing but a fault takes so long; the usual time is in `docs/console.md`. */
const LATEST_MS = 5_000;

/** Waits until a page shows its data in place of their skeletons. */
async function shown(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.locator(".skeleton").waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
}

async function inThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await faultsOf(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // Nothing else depends on the theme.
  return [...light, ...(await faultsOf(page, ["color-contrast"]))];
}

const ROWS = "main tbody tr:not(.group-head)";

/** What an expression yields for each row of the table. */
function ofRows<T>(page: Page, expression: string): Promise<T[]> {
  return page.evaluate<T[]>(
    `[...document.querySelectorAll(${JSON.stringify(ROWS)})].map((one) => ${expression})`,
  );
}

describe.skipIf(!browserPath)(
  browserPath ? "with much data" : "with much data: no chromium",
  () => {
    const browser = sharedBrowser();
    const room = sharedFullRoom();

    const open = (path: string) =>
      openPage(browser(), room(), path, {
        viewport: { width: 1440, height: 900 },
        // Colours change at once.
        reducedMotion: "reduce",
      });

    it("shows every page without a flaw at each width, light and dark", async ({ annotate }) => {
      const { page, foreign, faults } = await open("/console/");
      await shown(page);
      const took: string[] = [];
      const flaws: string[] = [];
      for (const [name, path] of pagesOf(room())) {
        await page.setViewportSize({ width: 1440, height: 900 });
        const startedMs = performance.now();
        await page.goto(path);
        await shown(page);
        const ms = performance.now() - startedMs;
        took.push(`${name} ${Math.round(ms)}`);
        expect(ms, name).toBeLessThan(LATEST_MS);
        expect(await page.getByRole("alert").count(), name).toBe(0);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const found = [
            ...(await overflowOf(page)),
            ...(await brokenWords(page)),
            ...(await inThemes(page)),
          ];
          flaws.push(...found.map((flaw) => `${name}, ${width} px: ${flaw}`));
        }
      }
      await annotate(`milliseconds until a page is shown: ${took.join(", ")}`);
      expect(flaws).toEqual([]);
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    }, 300_000);

    it.each([
      ["incidents?sort=newest", 200],
      ["events?repeats=shown", 200],
      ["deliveries", 50],
    ])("lists %s in rows of one line, page by page, the newest first", async (name, size) => {
      const { page } = await open(`/console/${name}`);
      const rows = page.locator(ROWS);
      await expect.poll(() => rows.count()).toBe(size);
      const heights = await ofRows<number>(page, "one.offsetHeight");
      expect(Math.max(...heights)).toBeLessThanOrEqual(48);
      if (!name.startsWith("incidents")) {
        await page.getByRole("button", { name: "Load more" }).click();
        await expect.poll(() => rows.count()).toBe(2 * size);
      }
      const times = await ofRows<string>(page, "one.querySelector('time').dateTime");
      expect(times).toEqual(times.toSorted().toReversed());
    });

    it("folds events that repeat, and shows them on demand", async () => {
      const { page } = await open("/console/events");
      const folds = page.locator("main .group-head button");
      await folds.first().waitFor();
      const counts = async () =>
        (await folds.allTextContents()).map((text) => Number(/([\d,]+) events?/.exec(text)?.[1]));
      const single = await page.locator(ROWS).count();
      expect((await counts()).reduce((sum, count) => sum + count, single)).toBe(200);
      const [first = 0] = await counts();
      expect(first).toBeGreaterThan(1);
      await folds.first().press("Enter");
      await expect.poll(() => page.locator(ROWS).count()).toBe(single + first);
    });

    it("counts all of it", async () => {
      const { page } = await open("/console/");
      await page.getByRole("link", { name: "deliveries waiting or dead" }).click();
      await page.getByLabel("State").selectOption("delivered");
      const rows = page.getByRole("table").locator("tbody tr");
      await expect.poll(() => rows.count()).toBe(50);
      await page.getByLabel("State").selectOption("pending");
      await expect.poll(() => rows.filter({ hasText: "pending" }).count()).toBe(50);
      await page.getByRole("button", { name: "Load more" }).click();
      await expect.poll(() => page.getByRole("button", { name: "Load more" }).count()).toBe(0);
      const activity = await room().admin<Activity>("GET", "/activity");
      expect(activity.steps.reduce((sum, { events }) => sum + events, 0)).toBe(EVENTS);
      const all = await room().admin<{ incidents: object[] }>("GET", "/incidents?limit=1000");
      expect(all.incidents).toHaveLength(INCIDENTS);
      await page.goto("/console/rehearsal");
      await page.getByText(`of ${DECISIONS.toLocaleString("en")} decisions`).waitFor();
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(1_400);
    });

    it("keeps the colour of a dangerous button that is pointed at", async () => {
      const { page } = await open(`/console/playbooks/${room().playbook}`);
      const colors = (): Promise<string[]> =>
        page.evaluate<string[]>(`(() => {
          const { color, borderColor } = getComputedStyle(document.querySelector(".button.danger"));
          return [color, borderColor];
        })()`);
      const button = page.getByRole("button", { name: "Remove" });
      await button.waitFor();
      const [color] = await colors();
      await button.hover();
      await expect.poll(colors).toEqual([color, color]);
    });

    it("blocks an address of an incident, which an application then refuses", async () => {
      const app = await openGuardedApp(room());
      const ip = "185.220.101.3";
      expect(await app.signUp(ip)).toBe(200);
      const { page } = await open(`/console/incidents/${room().incident}`);
      const row = page.getByRole("table", { name: "Addresses" }).getByRole("row", { name: ip });
      await row.getByRole("button", { name: "Block" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Application").selectOption("All");
      await dialog.getByRole("button", { name: "Block" }).click();
      await row.getByText("ends in 59 min").waitFor();
      await expect.poll(() => app.signUp(ip)).toBe(403);
    });
  },
);

interface Activity {
  readonly steps: readonly { readonly events: number }[];
}
