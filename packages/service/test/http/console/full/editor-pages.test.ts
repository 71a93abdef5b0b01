import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import { hostileEvent, openConsoleRoom, openPage } from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { overflowOf } from "../../../support/overflow-of.js";

const NARROW = { viewport: { width: 360, height: 740 } };

describe.skipIf(!browserPath)(
  browserPath ? "editors by rows" : "editors by rows are not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    it("add, edit and order operator rules, and save them", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page, faults } = await openPage(browser(), room, "/console/rules", NARROW);
      await page.getByRole("button", { name: "Add a rule" }).click();
      await page.getByLabel("Name").fill("our networks");
      await page.getByLabel("What is compared").selectOption("Address or network is");
      await page.getByLabel("Value").fill("192.0.2.0/24, 198.51.100.7");
      await page.getByRole("button", { name: "Add a condition" }).click();
      const second = page.getByRole("group", { name: "Further condition" });
      await second.getByLabel("If or if not").selectOption("and not");
      await second.getByLabel("What is compared").selectOption("Score is above");
      await second.getByLabel("Value").fill("90");
      expect(await faultsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toEqual([]);
      await page.getByLabel("Outcome").selectOption("allow");
      await page.getByRole("button", { name: "Done" }).click();
      await page
        .getByText("address in 192.0.2.0/24 or 198.51.100.7 and not (score above 90)")
        .waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved: 1 in use.").waitFor();
      expect(await room.admin("GET", "/rules")).toEqual({
        rules: [
          {
            name: "our networks",
            when: { network: ["192.0.2.0/24", "198.51.100.7"], not: { scoreAbove: 90 } },
            outcome: "allow",
          },
        ],
      });
      expect(faults).toEqual([]);
    });

    it("show a playbook in words, take JSON, and link a dry run to its causes", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([hostileEvent("xss", "one")]);
      const { page, faults } = await openPage(browser(), room, "/console/playbooks/new");
      await page.getByRole("combobox", { name: /^Application/ }).selectOption("Shop");
      await page.getByRole("tab", { name: "JSON" }).click();
      const json = page.getByLabel("Playbook as JSON");
      await json.fill("{");
      await page.getByText("This is not JSON yet.").waitFor();
      const rule = { kinds: ["xss"], count: 1 };
      await json.fill(JSON.stringify({ name: "Stop", rule, response: { durationMs: 60_000 } }));
      await page
        .getByText(/^After an event "Cross-site scripting", block .* for 1 minute\.$/)
        .waitFor();
      await page.getByRole("tab", { name: "Playbook" }).click();
      expect(await page.getByLabel("Minutes", { exact: false }).last().inputValue()).toBe("1");
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByText("1 response to 1 event").waitFor();
      await page.getByRole("link", { name: "Show events" }).click();
      await page.getByRole("table", { name: "Events" }).getByRole("link").first().waitFor();
      expect(page.url()).toContain("kind=xss&ip=203.0.113.7&since=");
      expect(faults).toEqual([]);
    });
  },
);
