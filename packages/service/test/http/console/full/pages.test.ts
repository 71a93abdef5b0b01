import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath, sharedBrowser } from "../../../support/browser.js";
import { leaveHostileTexts } from "../../../support/hostile-texts.js";
import {
  CONSOLE_TOKEN,
  type ConsoleRoom,
  HOSTILE,
  hostileEvent,
  openConsoleRoom,
  openPage,
  signIn,
  visit,
} from "../../../support/console-room.js";
import { faultsOf } from "../../../support/faults-of.js";
import { overflowOf } from "../../../support/overflow-of.js";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** An incident of three attacks, the response of a playbook to it, and their delivery. */
async function attack(room: ConsoleRoom): Promise<void> {
  await room.admin("POST", `/applications/${room.applicationId}/playbooks`, {
    name: `Block ${HOSTILE}`.slice(0, 128),
    rule: { kinds: ["auth_bruteforce"], count: 3 },
  });
  for (const id of ["one", "two", "three"])
    await room.report([hostileEvent("auth_bruteforce", id)]);
  await expect.poll(() => room.receiver.requests.length).toBeGreaterThan(0);
}

const PAGES = [
  ["/console/", "Overview"],
  ["/console/deliveries", "Deliveries"],
  ["/console/incidents", "Incidents"],
  ["/console/events", "Events"],
  ["/console/events/one", "Account brute force"],
  ["/console/lookup?q=203.0.113.7", "203.0.113.7"],
  ["/console/rehearsal?flagAbove=0&rejectAbove=1", "Rehearsal"],
  ["/console/applications", "Applications"],
  ["/console/playbooks", "Playbooks"],
  ["/console/playbooks/new", "New playbook"],
  ["/console/rules", "Rules"],
  ["/console/feeds", "Feeds"],
  ["/console/api", "API"],
] as const;

describe.skipIf(!browserPath)(
  browserPath ? "the console" : "the console is not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    const open = (room: ConsoleRoom, path: string, options?: BrowserContextOptions) =>
      openPage(browser(), room, path, options);

    it("asks for the token, refuses a wrong one, and shows the page that was asked for", async () => {
      const room = await openConsoleRoom();
      const { page } = await visit(browser(), room);
      await page.goto("/console/feeds");
      expect(await faultsOf(page)).toEqual([]);
      await page.evaluate("document.documentElement.removeAttribute('lang')");
      expect(await faultsOf(page)).toHaveLength(1);
      await page.reload();
      await signIn(page, "a-wrong-token-of-nobody");
      await page.getByRole("alert").getByText("This is not the administration token").waitFor();
      await signIn(page);
      await page.getByRole("heading", { name: "Feeds", level: 1 }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Feeds", level: 1 }).waitFor();

      const cookies = await page.context().cookies();
      expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);
      expect(await page.evaluate("document.cookie")).toBe("");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Administration token").waitFor();
      expect(await page.context().cookies()).toEqual([]);
    });

    it("asks again when the session has ended", async () => {
      const room = await openConsoleRoom();
      const { page } = await open(room, "/console/feeds");
      await page.getByRole("heading", { name: "Feeds", level: 1 }).waitFor();
      await page.context().clearCookies();
      await page.goto("/console/deliveries");
      await expect.poll(() => page.getByLabel("Administration token").count()).toBe(1);
    });

    it.each([
      ["1440 px, light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
      ["360 px, dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
    ] as const)(
      "shows every page with hostile text inert, and asks nothing of others: %s",
      async (_size, options) => {
        const room = await openConsoleRoom({
          answer: (response) => void response.writeHead(500).end(HOSTILE),
        });
        await attack(room);
        await leaveHostileTexts(room);
        const { page, foreign, faults } = await open(room, "/console/", options);
        const { deliveries } = await room.admin<Found<"deliveries">>("GET", "/deliveries");
        const { incidents } = await room.admin<Found<"incidents">>("GET", "/incidents");
        const { playbooks } = await room.admin<Found<"playbooks">>("GET", "/playbooks");
        for (const [path, title] of [
          ...PAGES,
          [`/console/deliveries/${deliveries.at(0)!.id}`, "Delivery"],
          [`/console/incidents/${incidents.at(0)!.id}`, ""],
          [`/console/applications/${room.applicationId}`, "Shop <script>"],
          [`/console/playbooks/${playbooks.at(0)!.id}`, "Block <script>"],
        ] as const) {
          await page.goto(path);
          await page.getByRole("heading", { level: 1, name: title }).waitFor();
          await page.waitForLoadState("networkidle");
          expect(await faultsOf(page), path).toEqual([]);
          expect(await overflowOf(page), path).toEqual([]);
          // The attack as it is, and the mark of direction where it can be seen.
          expect(await page.locator("main script, main img").count(), path).toBe(0);
        }
        expect(await page.evaluate("window.hacked")).toBeUndefined();
        expect({ foreign, faults }).toEqual({ foreign: [], faults: [] });
      },
      // So many pages take long on a busy machine.
      240_000,
    );

    it("sends all cancelled deliveries again", async () => {
      const room = await openConsoleRoom({
        answer: (response) => void response.writeHead(500).end(),
      });
      await room.report([hostileEvent("xss", "one")]);
      await expect.poll(() => room.receiver.requests.length).toBe(1);
      await room.admin("POST", `/applications/${room.applicationId}/disable`);
      await room.admin("POST", `/applications/${room.applicationId}/enable`);
      const { page } = await open(room, "/console/deliveries");
      const button = page.getByRole("button", { name: "Send all again" });
      await page.getByRole("table").getByRole("link").first().waitFor();
      expect(await button.count()).toBe(0);
      await page.getByLabel("State").selectOption("cancelled");
      await page.getByLabel("Send again those of the").selectOption("last hour");
      expect(await faultsOf(page)).toEqual([]);
      await button.click();
      await page.getByText("Deliveries sent again: 1.").waitFor();
      await expect.poll(() => room.receiver.requests.length).toBe(2);
      await page.getByText("None match these filters.").waitFor();
      await button.click();
      await page.getByText("Deliveries sent again: 0.").waitFor();
    });

    it("shows a delivery as it was sent, and sends it again", async () => {
      const room = await openConsoleRoom({
        answer: (response) => void response.writeHead(202).end("thanks"),
      });
      await room.report([hostileEvent("xss", "one")]);
      await expect.poll(() => room.receiver.requests.length).toBe(1);
      const delivered = () => room.admin<Found<"deliveries">>("GET", "/deliveries?state=delivered");
      // The page shows what is on record when it is opened.
      await expect.poll(async () => (await delivered()).deliveries.length).toBe(1);
      const first = room.receiver.requests.at(0)!;
      const { page } = await open(room, "/console/deliveries");
      await page.getByRole("table").getByRole("link").first().click();
      await page.getByText("thanks").waitFor();
      const signature = String(first.headers["x-service-integrity"]);
      await page.getByText(signature, { exact: true }).waitFor();
      await page.getByText("Verify a signature").first().click();
      expect(await page.getByLabel("Body, byte for byte").inputValue()).toBe(first.body.toString());

      await page.getByRole("button", { name: "Send again" }).click();
      await page.getByText("The delivery is sent again").waitFor();
      await expect.poll(() => room.receiver.requests.length).toBe(2);
      expect(room.receiver.requests.at(1)!.body).toEqual(first.body);
      await page.getByRole("cell", { name: "2", exact: true }).waitFor();

      expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0);

      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByText("Copied").waitFor();
      const command = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(command).toContain(`curl --request POST '${room.receiver.url}'`);
      if (hasCurl) {
        await promisify(execFile)("sh", ["-c", command]);
        expect(room.receiver.requests.at(2)?.body).toEqual(first.body);
        expect(room.receiver.requests.at(2)?.headers["x-service-integrity"]).toBe(signature);
      }

      await page.getByRole("button", { name: "Verify" }).click();
      await page.getByText("The signature is valid.").waitFor();
      await page.getByLabel("Body, byte for byte").fill("[]");
      await page.getByRole("button", { name: "Verify" }).click();
      await page.getByText("The signature is not valid").waitFor();
    });

    it("is where the links of delivered payloads lead", async () => {
      const room = await openConsoleRoom();
      await attack(room);
      const payloads = (): Record<string, string>[] =>
        room.receiver.requests.flatMap(({ body }) => JSON.parse(body.toString()));
      const urlOf = (type: string) =>
        payloads().find((one) => one["service_payload_type"] === type)?.["url"];
      await expect.poll(() => urlOf("pulse")).toBeDefined();
      await expect
        .poll(() => payloads().map((one) => one["service_payload_type"]))
        .toContain("security_response");

      const { page } = await open(room, urlOf("pulse")!);
      await page.getByRole("heading", { level: 1, name: /account takeover/ }).waitFor();
      const addresses = page.getByRole("table", { name: "Addresses" });
      await addresses.getByRole("link", { name: "203.0.113.7" }).waitFor();
      const followed = page.getByRole("table", { name: "Responses" });
      await followed.getByRole("link", { name: "203.0.113.7" }).waitFor();
      expect(await page.getByRole("table", { name: "Events" }).getByRole("row").count()).toBe(4);

      await page.goto(urlOf("security_event")!);
      await page.getByRole("heading", { level: 1, name: "Account brute force" }).waitFor();
      await followed.getByRole("link", { name: "203.0.113.7" }).waitFor();
      await page.getByRole("link", { name: /account takeover/ }).click();
      await page.getByRole("heading", { level: 1, name: /account takeover/ }).waitFor();
    });

    it("makes a playbook, tries it, and takes the checks of the service", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await room.report([hostileEvent("sql_injection", "one")]);
      const { page } = await open(room, "/console/playbooks/new");
      await page.getByRole("combobox", { name: /^Application/ }).selectOption("Shop");
      await page.getByLabel(/^Name \(/).fill("Block");
      await page.getByRole("checkbox", { name: /^SQL injection/ }).check();
      await page.getByLabel("Events, at least").fill("1.5");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").getByText("count").waitFor();
      await page.getByLabel("Events, at least").fill("1");
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByText("1 response to 1 event").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Remove" }).waitFor();
      await page.getByText("Saved.").waitFor();
      await page.getByRole("link", { name: "Shop" }).waitFor();
      expect(await room.admin("GET", "/playbooks")).toMatchObject({
        playbooks: [{ name: "Block", rule: { kinds: ["sql_injection"], count: 1 } }],
      });
    });

    it("removes a playbook and an application, once that is confirmed", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      await attack(room);
      const { page } = await open(room, "/console/playbooks");
      await page.getByRole("link", { name: /^Block/ }).click();
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Remove" }).click();
      await dialog.getByRole("heading", { name: "Remove this playbook?" }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(await room.admin("GET", "/playbooks")).toMatchObject({ playbooks: [{}] });
      await page.getByRole("button", { name: "Remove" }).click();
      await dialog.getByRole("button", { name: "Remove" }).click();
      await page.getByText("No playbooks").waitFor();
      await page.goto(`/console/applications/${room.applicationId}`);
      await page.getByRole("button", { name: "Delete" }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("No applications.").waitFor();
      expect(await room.admin("GET", "/applications")).toEqual({ applications: [] });
    });

    it("changes an application, and shows a new key and a new secret once", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page } = await open(room, `/console/applications/${room.applicationId}`);
      await page.getByLabel("Environment").fill("staging");
      await page.getByLabel("Delivered kinds of events: all").uncheck();
      await page.getByLabel("xss", { exact: true }).uncheck();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      const { application } = await room.admin<{
        application: { environment: string; eventKinds: string[] };
      }>("GET", `/applications/${room.applicationId}`);
      expect(application.environment).toBe("staging");
      expect(application.eventKinds).toContain("sql_injection");
      expect(application.eventKinds).not.toContain("xss");

      await page.getByRole("tab", { name: "Keys and secrets" }).click();
      await page.getByRole("button", { name: "Add" }).click();
      const key = await page.getByRole("status").locator("code").textContent();
      const lookup = `${room.baseUrl}/v1/ips/203.0.113.7`;
      expect((await fetch(lookup, { headers: { "x-api-key": key! } })).status).toBe(200);
      const secrets = async () =>
        (
          await room.admin<{ secrets: unknown[] }>(
            "GET",
            `/applications/${room.applicationId}/secrets`,
          )
        ).secrets;
      const dialog = page.getByRole("dialog");
      const quota = `the key ending in ${key!.slice(-4)}`;
      await page.getByRole("button", { name: `Change quota of ${quota}` }).click();
      await dialog.getByLabel("Requests in each window").fill("3");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("3 requests in 60 seconds").waitFor();
      await page.getByRole("button", { name: "Rotate" }).click();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await secrets()).toHaveLength(1);
      await page.getByRole("button", { name: "Rotate" }).click();
      await dialog.getByRole("button", { name: "Rotate" }).click();
      await page.getByRole("button", { name: "Sign with the new one now" }).click();
      await dialog.getByRole("button", { name: "Sign with the new one now" }).click();
      await page.getByText("The newest secret signs.").waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      expect(await page.content()).not.toContain(key!);
    });

    it("says why what a link leads to may be missing", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page } = await open(room, "/console/");
      for (const kind of ["incidents", "events", "deliveries", "playbooks", "applications"]) {
        await page.goto(`/console/${kind}/${"0".repeat(kind === "deliveries" ? 32 : 24)}`);
        const reason = page.getByRole("alert").getByText("This is not here: ");
        await expect.poll(() => reason.count()).toBe(1);
      }
    });

    it("takes a score apart, and shows an unreadable answer as an error", async () => {
      const room = await openConsoleRoom({ name: "Shop" });
      const { page, faults } = await visit(browser(), room);
      const source = HOSTILE;
      const account = {
        score: 42.5,
        signals: [{ name: "disposable_domain", weight: 60, adds: 42.5, source, detail: source }],
        assessment: { email: source, is_disposable: true },
        feeds: [{ name: source, kind: "disposable", listed: true, ageMs: 7_200_000 }],
        ledger: { events: 1, highRisk: 1, isKnownAttacker: true, lastEventAt: null, entries: [] },
        rules: [{ name: source, outcome: "flag", adds: -2 }],
      };
      const names = "events incidents responses blocks labels logins knownNetworks knownPlaces";
      const lists = `${names} lookups decisions related`.split(" ").map((name) => [name, []]);
      let json: object = {
        type: "account",
        subject: source,
        identity: source,
        isAllowed: false,
        isPartial: false,
        explanation: { ip: null, account },
        ...Object.fromEntries(lists),
      };
      await page.route("**/admin/v1/subject?*", async (route) => route.fulfill({ json }));
      await page.goto("/console/lookup");
      await signIn(page);
      await page.getByLabel("Address or account").fill("a/b+c@x.test");
      const asked = page.waitForRequest(/subject\?account=a%2Fb%2Bc%40x\.test$/);
      await page.keyboard.press("Enter");
      await asked;
      await page.getByRole("img", { name: "Score 42.5 of 100" }).waitFor();
      await page.getByText("disposable domain").first().waitFor();
      await page.getByRole("cell", { name: "2 hours" }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      json = { score: 1 };
      await page.reload();
      await page.getByRole("alert").waitFor();
      await page.getByRole("link", { name: "Feeds" }).click();
      await page.getByRole("heading", { name: "Feeds", level: 1 }).waitFor();
      expect(faults).not.toContain(expect.stringContaining("Content Security Policy"));
    });

    it("works by keyboard alone", async () => {
      const room = await openConsoleRoom();
      await room.report([hostileEvent("xss", "one")]);
      await expect.poll(() => room.receiver.requests.length).toBe(1);
      const { page } = await visit(browser(), room);
      await page.goto("/console/");
      await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("INPUT");
      await page.keyboard.type(CONSOLE_TOKEN);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const press = async (name: string) => {
        const isThere = () =>
          page.evaluate<string>("document.activeElement?.textContent?.trim() ?? ''");
        for (let step = 0; step < 40 && !(await isThere()).startsWith(name); step++) {
          await page.keyboard.press("Tab");
        }
        await page.keyboard.press("Enter");
      };
      // From the heading, the next way is out of the page and back to its beginning.
      await page.evaluate("document.activeElement.blur()");
      await press("Deliveries");
      const heading = page.getByRole("heading", { level: 1 });
      await expect.poll(() => heading.textContent()).toBe("Deliveries");
      const { deliveries } = await room.admin<Found<"deliveries">>("GET", "/deliveries");
      await press(deliveries.at(0)!.id.slice(0, 10));
      await expect.poll(() => heading.textContent()).toContain("Delivery ");
      await press("Send again");
      await expect.poll(() => room.receiver.requests.length).toBe(2);
    });
  },
);

type Found<Name extends string> = Record<Name, { readonly id: string }[]>;
