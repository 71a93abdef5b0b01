import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import {
  type ConsoleRoom,
  hostileEvent,
  openConsoleRoom,
  openPage,
} from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { leaveHostileTexts } from "../../../support/hostile-texts.js";

const TOR = "185.220.101.1";
const OUR_EXIT = { name: "our exit", when: { flags: { all: ["is_tor"] } }, outcome: "allow" };
const NARROW_DARK = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;

const lookUp = async ({ baseUrl, lookupKey }: ConsoleRoom, ip: string): Promise<void> => {
  const answer = await fetch(`${baseUrl}/v1/ips/${ip}`, { headers: { "x-api-key": lookupKey } });
  await answer.text();
};

const rowOf = (page: Page, table: string, name: string) =>
  page.getByRole("table", { name: table }).getByRole("row", { name });

describe.skipIf(!browserPath)(
  browserPath ? "pages that try things" : "pages that try things are not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    const open = (room: ConsoleRoom, path: string, options?: BrowserContextOptions) =>
      openPage(browser(), room, path, options);

    it("shows what other thresholds make of recent scores, by keyboard as well", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      for (const ip of [TOR, TOR, "198.51.100.7"]) await lookUp(room, ip);
      const { page, foreign, faults } = await open(room, "/console/rehearsal");
      await page.getByText("0 of 3 lookups").waitFor();
      await page.getByText("No application has logged decisions here.").waitFor();

      const reject = page.getByLabel("Reject above");
      await reject.fill("50");
      await page.getByText("2 of 3 lookups").waitFor();
      await rowOf(page, "Lookups by outcome", "reject 0 2 +2").waitFor();
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(
        1_400,
      );
      await expect.poll(() => page.url()).toContain("rejectAbove=50");
      await page.getByText("Latest changes").first().click();
      const change = rowOf(page, "Lookups that change", "flag to reject").first();
      expect(await change.getByRole("link", { name: TOR }).getAttribute("href")).toBe(
        `/console/addresses/${TOR}`,
      );

      await page.getByLabel("Flag above").fill("70");
      await page.getByText("2 of 3 lookups").waitFor();
      await expect.poll(() => reject.inputValue()).toBe("70");
      await page.getByLabel("Challenge some scores").check();
      await page.getByLabel("Challenge above").focus();
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => page.url()).toContain("challengeAbove=69");

      await page.reload();
      await expect.poll(() => reject.inputValue()).toBe("70");
      await page.getByRole("button", { name: "Reset" }).click();
      await page.getByText("0 of 3 lookups").waitFor();
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    });

    it.each([1440, 360])("draws charts that can be read, %d px", async (width) => {
      const room = await openConsoleRoom({ name: "Shop" });
      for (const ip of [TOR, "198.51.100.7"]) await lookUp(room, ip);
      const viewport = { width, height: 740 };
      const { page } = await open(room, "/console/rehearsal", { viewport });
      const ticks = page.getByRole("img", { name: "IP addresses by score" }).locator(".score");
      await ticks.first().waitFor();
      expect(await ticks.allTextContents()).toEqual(["0", "20", "40", "60", "80", "100"]);
      const sizes = await page.evaluate<
        number[]
      >(`[...document.querySelectorAll("figure .score")].map(
        (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a,
      )`);
      expect(sizes).toHaveLength(12);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
      const boxes = await Promise.all((await ticks.all()).map((tick) => tick.boundingBox()));
      for (const [index, box] of boxes.entries()) {
        const before = boxes[index - 1];
        if (before) expect(box!.x).toBeGreaterThan(before.x + before.width);
        expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      }
    });

    it("forgets whom lookups were about with an erasure, and keeps the counts", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await lookUp(room, TOR);
      const examples = async () =>
        (
          await room.admin<{ lookups: { lookups: number; examples: object[] } }>(
            "GET",
            "/rehearsal?rejectAbove=50",
          )
        ).lookups;
      expect(await examples()).toMatchObject({ lookups: 1, examples: [{ identifier: TOR }] });
      await room.admin("POST", "/erasures", { ip: TOR });
      expect(await examples()).toMatchObject({ lookups: 1, examples: [] });
    });

    it("shows logged decisions that would change, hostile ones inert", async () => {
      const room = await openConsoleRoom();
      await leaveHostileTexts(room);
      const path = "/console/rehearsal?flagAbove=10&rejectAbove=20";
      const { page, foreign, faults } = await open(room, path, NARROW_DARK);
      await page.getByText("1 of 1 decisions").waitFor();
      await page.getByText("Latest changes").last().click();
      await rowOf(page, "Decisions that change", "flag to reject").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    });

    it("checks rules, tries them, and puts them in use", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([{ ...hostileEvent("xss", "one"), ips: [{ address: TOR }] }]);
      const { page, foreign, faults } = await open(room, "/console/rules?tab=json", NARROW_DARK);
      await page.getByRole("tab", { name: "Rules" }).waitFor();
      const text = page.getByLabel("Rules as JSON");

      await text.fill('{ "rules": [{ "name": "a", "when": { "country": ["XX"] } }] }');
      await page.getByRole("button", { name: "Save" }).click();
      const wrong = page.getByRole("alert");
      await wrong.getByText("/rules/0/when/country/0").waitFor();
      await wrong.getByText("Line 1, column").first().waitFor();
      expect(await room.admin("GET", "/rules")).toEqual({ rules: [] });
      expect(await faultsOf(page)).toEqual([]);

      await text.fill(JSON.stringify({ rules: [OUR_EXIT] }));
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("1 rule, no problems.").waitFor();
      await page.getByRole("button", { name: "Dry run" }).click();
      await page.getByText("1 score would change").waitFor();
      await rowOf(page, "Rules that hold", "our exit").waitFor();
      await rowOf(page, "Scores that change", TOR).waitFor();
      expect(await room.admin("GET", "/rules")).toEqual({ rules: [] });
      expect(await faultsOf(page)).toEqual([]);

      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved: 1 in use.").waitFor();
      await page.getByRole("tab", { name: "Rules" }).click();
      await page.getByText("our exit", { exact: true }).waitFor();
      expect(await room.admin("GET", "/rules")).toEqual({ rules: [OUR_EXIT] });
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    });

    it.each([
      ["1440 px, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
      ["360 px, dark", NARROW_DARK],
    ] as const)("describes every operation of the API: %s", async (_size, options) => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page, foreign, faults } = await open(room, "/console/api", options);
      const operations = page.locator(".operations > details");
      await operations.first().waitFor();
      const { paths } = (await (await fetch(`${room.url}/openapi.json`)).json()) as {
        paths: Record<string, object>;
      };
      const count = Object.values(paths).flatMap((one) => Object.keys(one)).length;
      expect(await operations.count()).toBe(count);

      await page.getByLabel("Find an operation").fill("post rules dry");
      await page.getByText(`1 of ${count} operations`).waitFor();
      await operations.locator("> summary").click();
      await page.getByRole("group", { name: "As a command" }).waitFor();
      await page
        .locator("summary")
        .filter({ hasText: /^RulesDryRun/ })
        .click();
      await page.getByRole("group", { name: "RulesDryRun", exact: true }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
        options.viewport.width,
      );
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    });
  },
);
