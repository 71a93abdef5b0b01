import type { BrowserContextOptions } from "playwright-core";
import { createIdentityDigest } from "@riskgate/core/log";
import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import {
  type ConsoleRoom,
  HOSTILE,
  openConsoleRoom,
  openPage,
} from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { openGuardedApp } from "../../../support/guarded-app.js";
import { overflowOf } from "../../../support/overflow-of.js";

const IP = "185.220.101.1";
const ACCOUNT = "ada+news@shop.example";

const SIZES = [
  ["1440 px, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
  ["768 px, dark", { viewport: { width: 768, height: 900 }, colorScheme: "dark" }],
  ["360 px, light", { viewport: { width: 360, height: 740 }, colorScheme: "light" }],
] as const;

const attacks = (count: number, members: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    event_id: `sql-${index}`,
    event_kind: "sql_injection",
    application_account_account_keys: [{ name: "email", value: ACCOUNT }],
    ips: [{ address: index % 3 ? IP : "91.198.174.192", geo: { city: "Paris", code: "FRA" } }],
    ...members,
  }));

async function incidentIn({ admin }: ConsoleRoom): Promise<string> {
  const { incidents } = await admin<{ incidents: { id: string }[] }>(
    "GET",
    "/incidents?genre=injection_sql",
  );
  return `/console/incidents/${incidents.at(0)!.id}`;
}

describe.skipIf(!browserPath)(
  browserPath ? "pages to act on" : "pages to act on are not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    const open = (room: ConsoleRoom, path: string, options?: BrowserContextOptions) =>
      openPage(browser(), room, path, options);

    it("block an address, so that a guarded application answers 403 until it is released", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const app = await openGuardedApp(room);
      expect(await app.signUp("198.51.100.7")).toBe(200);
      const { page, foreign, faults } = await open(room, "/console/addresses/198.51.100.7");
      await page.getByText("Not blocked.").waitFor();

      await page.getByRole("button", { name: "Block" }).click();
      const dialog = page.getByRole("dialog", { name: "Block 198.51.100.7" });
      await dialog.getByLabel("For").selectOption("1 day");
      await dialog.getByLabel("Reason").fill("Fake sign-ups");
      expect(await faultsOf(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Block" }).click();
      await page.getByText("Blocked: sent to Shop and Guarded.").waitFor();
      await expect.poll(() => app.signUp("198.51.100.7")).toBe(403);
      expect(await app.signUp("198.51.100.8")).toBe(200);
      const blocks = page.getByRole("table", { name: "Blocks" });
      await blocks.getByRole("row", { name: "Guarded in 23 h Fake sign-ups" }).waitFor();

      await page.getByRole("button", { name: "Release" }).click();
      await page.getByText("Released: sent to Shop and Guarded.").waitFor();
      await expect.poll(() => app.signUp("198.51.100.7")).toBe(200);
      await page.getByText("Not blocked.").waitFor();
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    });

    it("block and release an account with the keyboard", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const app = await openGuardedApp(room);
      const path = `/console/accounts/${encodeURIComponent(ACCOUNT)}`;
      const { page } = await open(room, path);
      await page.getByRole("heading", { level: 1, name: ACCOUNT }).waitFor();
      await page.getByRole("button", { name: "Block" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Block");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Block" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => app.signUp("198.51.100.7", "ADA@shop.example")).toBe(403);
      await page.getByRole("button", { name: "Release" }).click();
      await expect.poll(() => app.signUp("198.51.100.7", ACCOUNT)).toBe(200);
    });

    it("allow an address by an operator rule, and stop it", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.admin("PUT", "/rules", {
        rules: [{ name: "No Tor", when: { flags: { any: ["is_tor"] } }, outcome: "reject" }],
      });
      const { page } = await open(room, `/console/lookup?q=${IP}`);
      await page.getByRole("img", { name: "Score 81 of 100" }).waitFor();
      expect(page.url()).toContain(`/console/addresses/${IP}`);
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByRole("img", { name: "Score 40 of 100" }).waitFor();
      await page.getByText("allowed by an operator").waitFor();
      await page.getByRole("button", { name: "Stop allowing" }).click();
      await page.getByRole("img", { name: "Score 81 of 100" }).waitFor();
    });

    it("comment on an incident, act on its addresses, and close it", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const app = await openGuardedApp(room);
      await room.report(attacks(12));
      const { page, faults } = await open(room, await incidentIn(room));
      await page.getByRole("img", { name: /^12 events from/ }).waitFor();
      const addresses = page.getByRole("table", { name: "Addresses" });
      const row = addresses.getByRole("row", { name: IP });
      await row.getByRole("button", { name: "Block" }).click();
      await page.getByRole("dialog").getByLabel("Application").selectOption("All");
      await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
      await row.getByText("ends in 59 min").waitFor();
      await expect.poll(() => app.signUp(IP)).toBe(403);
      await page.getByRole("listitem").getByText(`Block of ${IP}`).waitFor();

      await page.getByRole("textbox", { name: "Comment" }).fill("Asked the provider");
      await page.getByRole("button", { name: "Comment", exact: true }).click();
      await page.getByRole("list").getByText("Asked the provider").first().waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
      await page.getByRole("listitem").getByText("Closed by an operator").waitFor();
      expect(await page.getByRole("button", { name: "Close", exact: true }).count()).toBe(0);
      const { incidents } = await room.admin<{ incidents: { endedAt: string | null }[] }>(
        "GET",
        "/incidents?genre=injection_sql",
      );
      expect(incidents[0]?.endedAt).not.toBeNull();
      expect(faults).toEqual([]);
    });

    it("find logged decisions by a digest that the browser computes", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const secret = "the secret of the decision log of the shop";
      const digest = createIdentityDigest({ secret }).email(ACCOUNT);
      await fetch(`${room.baseUrl}/v1/reports/decisions`, {
        method: "POST",
        headers: { "x-api-key": room.reportKey, "content-type": "application/json" },
        body: JSON.stringify([
          {
            v: 1,
            id: "one",
            at: "2026-03-01T12:00:00.000Z",
            route: "POST /signup",
            outcome: "flag",
            enforced: true,
            because: "score",
            score: 55,
            ip: { state: "skipped", why: "absent" },
            email: { state: "scored", score: 55, source: "live", flags: [], digest },
            policy: { flagAbove: 40, rejectAbove: 80 },
          },
        ]),
      });
      const path = `/console/accounts/${encodeURIComponent(ACCOUNT)}`;
      const { page } = await open(room, path);
      await page.getByRole("button", { name: "Find logged decisions" }).click();
      await page.getByLabel("Secret of the decision log").fill(secret);
      const sent: string[] = [];
      page.on("request", (request) => sent.push(`${request.url()} ${request.postData()}`));
      await page.getByRole("button", { name: "Find", exact: true }).click();
      const table = page.getByRole("table", { name: "Logged decisions" });
      await table.getByRole("row", { name: "POST /signup flag score 55" }).waitFor();
      expect(page.url()).toContain(`digest=${digest}`);
      expect(sent.join(" ")).not.toContain(secret.replaceAll(" ", "+"));
      expect(sent.join(" ")).not.toContain(secret);
      await table.getByRole("link", { name: "POST /signup" }).click();
      await page.getByRole("heading", { level: 1, name: "Decision one" }).waitFor();
      await page.getByRole("group", { name: "Record" }).getByText(`"id": "one"`).waitFor();
      await page.getByRole("button", { name: "Label as fraud" }).click();
      await page.getByText("Labelled as fraud.").waitFor();
      await expect
        .poll(() => page.getByRole("button", { name: "Label as fraud" }).isDisabled())
        .toBe(true);
      expect(await faultsOf(page)).toEqual([]);

      await page.goBack();
      await page.getByRole("button", { name: "Label as legitimate" }).click();
      await page.getByText("Labelled as legitimate.").waitFor();
      await page.getByText("legitimate in Shop").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.goto("/console/rehearsal");
      await page.getByText("1 fraud, 0 legitimate.").waitFor();
      const outcomes = page.getByRole("table", { name: "Labelled decisions by outcome" });
      await outcomes.getByRole("row", { name: "flag 100% 100% 1 0" }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });

    it.each(SIZES)("fit, and have no fault, with hostile text: %s", async (_size, options) => {
      const room = await openConsoleRoom();
      await room.admin("POST", `/applications/${room.applicationId}/playbooks`, {
        name: `Block ${HOSTILE}`.slice(0, 128),
        rule: { kinds: ["sql_injection"], count: 3 },
        response: { accounts: "all" },
      });
      await room.report(attacks(40, { humanized_description: HOSTILE, user_agent: HOSTILE }));
      const logins = Array.from({ length: 20 }, (_, index) => ({
        account: index % 2 ? ACCOUNT : `<b>${"x".repeat(index * 8)}</b>@shop.example`,
        address: IP,
        success: index === 7,
        location: { city: HOSTILE.slice(0, 100), code: "FRA" },
      }));
      await room.admin("POST", `/applications/${room.applicationId}/logins`, logins);
      const note = HOSTILE.slice(0, 100).replace("\u202e", "");
      await room.admin("POST", "/blocks", { ips: [IP], accounts: [ACCOUNT], note });
      const incident = await incidentIn(room);
      await room.admin("POST", `${incident.replace("/console", "")}/comments`, { text: HOSTILE });
      const { page, foreign, faults } = await open(room, "/console/lookup", options);
      const hostile = encodeURIComponent(`<b>${"x".repeat(144)}</b>@shop.example`);
      for (const path of [
        "/console/lookup",
        `/console/addresses/${IP}`,
        "/console/addresses/2001%3Adb8%3A%3A7",
        `/console/accounts/${encodeURIComponent(ACCOUNT)}`,
        `/console/accounts/${hostile}`,
        incident,
      ]) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await page.getByRole("heading", { level: 1 }).waitFor();
        expect(await page.getByRole("alert").count(), path).toBe(0);
        expect(await faultsOf(page), path).toEqual([]);
        expect(await overflowOf(page), path).toEqual([]);
        expect(await page.locator("main script, main img[onerror]").count(), path).toBe(0);
      }
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
    });
  },
);
