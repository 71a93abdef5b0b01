import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import {
  type ConsoleRoom,
  hostileEvent,
  openConsoleRoom,
  openPage,
} from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";

describe.skipIf(!browserPath)(
  browserPath ? "texts of the pages" : "texts of the pages are not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    const open = (room: ConsoleRoom, path: string, options?: BrowserContextOptions) =>
      openPage(browser(), room, path, options);

    it("say every time in UTC, wherever the browser is", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([hostileEvent("xss", "one")]);
      await expect.poll(() => room.receiver.requests.length).toBe(1);
      const { deliveries } = await room.admin<{ deliveries: { id: string; createdAt: string }[] }>(
        "GET",
        "/deliveries",
      );
      const { id, createdAt } = deliveries.at(0)!;
      const { page } = await open(room, "/console/", { timezoneId: "Asia/Tokyo" });
      const times = page.locator("main time");
      for (const path of [
        "",
        "deliveries",
        `deliveries/${id}`,
        "events",
        "events/one",
        "applications",
        `applications/${room.applicationId}?tab=keys`,
        "rehearsal",
      ]) {
        await page.goto(`/console/${path}`);
        await times.first().waitFor();
        for (const time of await times.all()) {
          const at = (await time.getAttribute("datetime")) ?? "";
          expect(at).toMatch(/Z$/);
          const exact = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
          // Seen from now, with the exact one on hover.
          const title = await time.getAttribute("title");
          if (title === null) expect(await time.textContent()).toBe(exact);
          else expect([title, await time.textContent()]).toEqual([exact, "just now"]);
        }
        // Nothing that looks like a time stands outside of such an element or a payload.
        const rest = await page.evaluate<string>(`(() => {
          const copy = document.querySelector("main").cloneNode(true);
          for (const one of copy.querySelectorAll("time, pre, textarea, svg, .mono")) one.remove();
          return copy.textContent;
        })()`);
        expect(rest, path).not.toMatch(/\d\d:\d\d/);
      }
      await page.goto(`/console/deliveries/${id}`);
      await page
        .getByText(`${createdAt.slice(0, 19).replace("T", " ")} UTC`)
        .first()
        .waitFor();
    });

    it("say what is known of an incident, and what is not", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([{ event_kind: "xss", event_id: "one", ips: ["203.0.113.7"] }]);
      const { page } = await open(room, "/console/incidents");
      await page.getByRole("cell", { name: "Open" }).waitFor();
      await page.getByRole("link", { name: "XSS injection detected" }).click();
      const facts = page.getByRole("group", { name: "Details", exact: true });
      await facts.getByText("Open").waitFor();
      const values = await facts.locator("dt, dd").allTextContents();
      expect(values[values.indexOf("Outcome") + 1]).toBe("No request was stopped");
      expect(values[values.indexOf("Places") + 1]).toBe("unknown");
    });

    it("say what a lookup takes", async () => {
      const { page } = await open(await openConsoleRoom(), "/console/lookup");
      await page.getByLabel("Address or account").fill("notanip");
      await page.getByRole("button", { name: "Look up" }).click();
      await page.getByRole("heading", { level: 1, name: "notanip" }).waitFor();
      expect(page.url()).toContain("/console/accounts/notanip");
    });

    it("say what to do where there is nothing yet", async () => {
      const room = await openConsoleRoom({ name: "Shop", hasFeeds: false });
      const { page, faults } = await open(room, "/console/", {
        viewport: { width: 360, height: 740 },
      });
      for (const [path, advice] of [
        ["", "riskgate serve --feeds-dir feeds"],
        ["feeds", "riskgate feeds init"],
        ["deliveries", "send a test from its page"],
        ["incidents", "The service detects them"],
        ["events", "with a key for reports"],
        ["playbooks", "A playbook responds to attacks"],
        ["rules", "No rules: scores stay as they are."],
      ] as const) {
        await page.goto(`/console/${path}`);
        await page.getByText(advice).waitFor();
        expect(await faultsOf(page), path).toEqual([]);
      }
      await page.goto("/console/events?kind=xss");
      await page.getByText("None match these filters.").waitFor();

      await page.goto("/console/rules?tab=json");
      await page.getByRole("group", { name: "Example of a rule" }).waitFor();
      await page.getByRole("button", { name: "Use this example" }).click();
      const editor = page.getByLabel("Rules as JSON");
      await expect.poll(() => editor.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("1 rule, no problems.").waitFor();
      await editor.press("End");
      await editor.press("Space");
      expect(await page.getByText("no problems").count()).toBe(0);

      await page.goto("/console/playbooks");
      await page.getByRole("link", { name: "New playbook" }).click();
      await page.getByRole("heading", { level: 1, name: "New playbook" }).waitFor();
      expect(faults).toEqual([]);
    });

    it("say of the latest action only what came of it", async () => {
      const { page } = await open(await openConsoleRoom({ hasFeeds: false }), "/console/feeds");
      const [trouble, done] = [page.getByRole("alert"), page.getByRole("status")];
      await page.getByRole("button", { name: "Update now" }).click();
      await trouble.getByText("stores no copies of published lists").waitFor();
      await page.getByRole("button", { name: "Reload the files" }).click();
      await done.getByText("There are no files to load.").waitFor();
      expect(await trouble.count()).toBe(0);
    });

    it("say what an update of feeds needs, where files are all there is", async () => {
      const { page } = await open(await openConsoleRoom({ name: "Shop" }), "/console/feeds");
      await page.getByRole("button", { name: "Reload the files" }).click();
      await page.getByText("Reloaded: 1 feed.").waitFor();
      await page.getByRole("button", { name: "Update now" }).click();
      await page.getByRole("alert").waitFor();
      await page.getByText("riskgate feeds init").waitFor();
      expect(await page.getByRole("status").count()).toBe(0);
    });

    it("say what a form lacks, at the field that has the focus", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page } = await open(room, "/console/playbooks/new");
      const focused = page.locator(":focus");
      const message = async () =>
        page.evaluate<string | undefined>(`(() => {
          const id = document.activeElement.getAttribute("aria-describedby");
          return id && document.getElementById(id)?.textContent;
        })()`);
      const press = async (button: string) => {
        const target = page.getByRole("button", { name: button });
        await target.focus();
        expect(await target.evaluate("document.activeElement.textContent")).toBe(button);
        await page.keyboard.press("Enter");
      };
      await press("Try it");
      await expect.poll(message).toBe("Choose its application.");
      expect(await page.getByText("Give it a name.").count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
      await focused.selectOption("Shop");

      await press("Save");
      await expect.poll(message).toBe("Give it a name.");
      await focused.fill("Block");
      await page.getByLabel("Events, at least").fill("");
      await press("Save");
      await expect.poll(message).toBe("Enter a number from 1 to 1,000.");
      expect(await faultsOf(page)).toEqual([]);
      await focused.fill("3");
      await press("Save");
      await expect.poll(message).toBe("Choose at least one kind.");
      await page.getByRole("checkbox", { name: /^Cross-site scripting/ }).check();
      expect(await room.admin("GET", "/playbooks")).toEqual({ playbooks: [] });
      await press("Save");
      await page.getByText("Saved.").waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Remove" }).waitFor();
      expect(await page.getByText("Saved.").count()).toBe(0);
    });
  },
);
