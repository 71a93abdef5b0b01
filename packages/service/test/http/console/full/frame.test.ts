import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import { openConsoleRoom, openPage } from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { overflowOf } from "../../../support/overflow-of.js";

const EVENT = {
  event_kind: "auth_bruteforce",
  event_id: "evt-17",
  ips: ["203.0.113.7"],
  application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
};

const NARROW = { viewport: { width: 360, height: 740 } };

describe.skipIf(!browserPath)(
  browserPath ? "the frame of the pages" : "the frame is not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    it("finds pages, applications, records, addresses and accounts by keyboard", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([EVENT]);
      const { page, faults } = await openPage(browser(), room, "/console/");
      const heading = page.getByRole("heading", { level: 1 });
      await expect.poll(() => heading.textContent()).toBe("Overview");
      const dialog = page.getByRole("dialog", { name: "Search" });
      const options = page.getByRole("option");
      for (const [text, option, url] of [
        ["deliv", "Deliveries Page", "/console/deliveries"],
        ["sho", "Shop Application", `/console/applications/${room.applicationId}`],
        ["evt-1", "Account brute force Event evt-17", "/console/events/evt-17"],
        ["203.0.1", "203.0.113.7 Address", "/console/addresses/203.0.113.7"],
        ["ada@", "ada@shop.example Account", "/console/accounts/ada%40shop.example"],
        ["2001:db8::1", "2001:db8::1 Address", "/console/addresses/2001%3Adb8%3A%3A1"],
      ] as const) {
        await page.keyboard.press("Control+k");
        await dialog.waitFor();
        await page.keyboard.type(text);
        await expect
          .poll(async () => (await options.first().innerText()).replaceAll(/\s+/g, " "))
          .toBe(option);
        expect(await faultsOf(page), text).toEqual([]);
        await page.keyboard.press("Enter");
        await dialog.waitFor({ state: "detached" });
        expect(page.url(), text).toBe(room.url + url);
      }
      await page.keyboard.press("Control+k");
      await page.keyboard.type("no such thing");
      await dialog.getByText("Nothing found.").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(faults).toEqual([]);
    });

    it("opens the search with a slash, except in a field", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page } = await openPage(browser(), room, "/console/lookup");
      const dialog = page.getByRole("dialog", { name: "Search" });
      const field = page.getByLabel("Address or account");
      await field.fill("");
      await field.press("/");
      await expect.poll(() => field.inputValue()).toBe("/");
      expect(await dialog.count()).toBe(0);
      await page.getByRole("heading", { level: 1 }).focus();
      await page.keyboard.press("/");
      await dialog.waitFor();
      expect(await field.inputValue()).toBe("/");
    });

    it("has a menu button on a narrow screen", async () => {
      const room = await openConsoleRoom();
      const { page, faults } = await openPage(browser(), room, "/console/", NARROW);
      const menu = page.getByRole("dialog", { name: "Menu" });
      await page.getByRole("button", { name: "Menu" }).click();
      await menu.waitFor();
      expect(await menu.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
        "Observe",
        "Configure",
        "System",
      ]);
      expect(await faultsOf(page)).toEqual([]);
      await menu.getByRole("link", { name: "Feeds" }).click();
      await menu.waitFor({ state: "detached" });
      await page.getByRole("heading", { level: 1, name: "Feeds" }).waitFor();
      expect(await overflowOf(page)).toEqual([]);
      expect(faults).toEqual([]);
    });

    it("keeps the chosen application and period from page to page", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([EVENT]);
      const { page } = await openPage(browser(), room, "/console/events");
      await page.getByRole("link", { name: "Account brute force" }).waitFor();
      await page.getByLabel("Shown application").selectOption("Shop");
      await page.getByRole("button", { name: "7 days" }).click();
      await page.getByRole("link", { name: "Incidents" }).click();
      await page.getByRole("heading", { level: 1, name: "Incidents" }).waitFor();
      const search = new URL(page.url()).searchParams;
      expect(Object.fromEntries(search)).toEqual({
        applicationId: room.applicationId,
        range: "7d",
      });
      const pressed = page.getByRole("button", { name: "7 days", pressed: true });
      await pressed.waitFor();
      await page.getByRole("button", { name: "Other period" }).click();
      await page.getByLabel("From (UTC)").fill("2026-01-31T08:00");
      await page.getByLabel("To (UTC)").fill("2026-01-31T09:00");
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByText("None match these filters.").waitFor();
      expect(page.url()).toContain("since=2026-01-31T08%3A00&until=2026-01-31T09%3A00");
      expect(await pressed.count()).toBe(0);
    });

    it("remembers the chosen theme", async () => {
      const room = await openConsoleRoom();
      const { page } = await openPage(browser(), room, "/console/", { colorScheme: "light" });
      const ground = async (): Promise<string> =>
        page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
      await page.getByRole("button", { name: "Dark theme" }).waitFor();
      const light = await ground();
      await page.getByRole("button", { name: "Dark theme" }).click();
      const dark = await ground();
      expect(dark).not.toBe(light);
      await page.reload();
      await page.getByRole("button", { name: "Dark theme", pressed: true }).waitFor();
      expect(await ground()).toBe(dark);
      await page.getByRole("button", { name: "System theme" }).click();
      expect(await ground()).toBe(light);
    });

    it("tries again after a failed request", async () => {
      const room = await openConsoleRoom();
      const { page } = await openPage(browser(), room, "/console/feeds");
      await page.getByRole("table").waitFor();
      await page.route("**/admin/v1/events?*", (route) =>
        route.fulfill({ status: 503, json: { details: "The database is busy" } }),
      );
      await page.goto("/console/events");
      await page.getByRole("alert").getByText("The database is busy").waitFor();
      await page.unroute("**/admin/v1/events?*");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("No events yet.").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    });
  },
);
