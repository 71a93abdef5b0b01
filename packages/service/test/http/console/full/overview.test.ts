import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import { openConsoleRoom, openPage } from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { overflowOf } from "../../../support/overflow-of.js";

const EVENT = {
  event_kind: "auth_bruteforce",
  ips: ["203.0.113.7"],
  application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
};

describe.skipIf(!browserPath)(
  browserPath ? "the overview" : "the overview is not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    it.each([
      ["1440 px, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
      ["360 px, dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
    ] as const)("reports an attack and its addresses: %s", async (_size, options) => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page, faults } = await openPage(browser(), room, "/console/", options);
      await page.getByRole("heading", { name: "All clear" }).waitFor();
      await page.getByRole("heading", { name: "Everything works" }).waitFor();
      await page.getByText("2 of 5 done.").or(page.getByText("3 of 5 done.")).waitFor();
      await room.report([1, 2, 3].map((number) => ({ ...EVENT, event_id: `${number}` })));
      await page.reload();
      await page.getByRole("heading", { name: "Under attack" }).waitFor();
      await page.getByRole("link", { name: "203.0.113.7" }).waitFor();
      await page.getByText("203.0.113.0/24").waitFor();
      await page.getByRole("img", { name: "Open incidents over time" }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toEqual([]);
      expect(faults).toEqual([]);
    });
  },
);
