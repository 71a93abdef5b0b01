import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { createService } from "../../src/service.js";
import { startReceiver, type Receiver, type ReceiverOptions } from "./receiver.js";
import { temporaryDirectory } from "./temporary-storage.js";

export const CONSOLE_TOKEN = "admin-token-of-the-console";

/** Text that would run, load or rewrite something if any page took it for more than text. */
export const HOSTILE =
  "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>\u202ejavascript:hacked=1";

/** A service with a console, an application and a receiver of its deliveries. */
export interface ConsoleRoom {
  /** URL of the console and the administration API. */
  readonly url: string;
  /** URL of lookups and reports. */
  readonly baseUrl: string;
  readonly receiver: Receiver;
  readonly applicationId: string;
  readonly reportKey: string;
  readonly lookupKey: string;
  /** Calls the administration API with the token. */
  readonly admin: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<T>;
  /** Reports events as an application does. */
  readonly report: (events: readonly object[]) => Promise<void>;
}

/** Starts a service; all of it goes with the test. */
export async function openConsoleRoom(
  options: ReceiverOptions & { readonly name?: string; readonly hasFeeds?: boolean } = {},
): Promise<ConsoleRoom> {
  const { name = `Shop ${HOSTILE}`.slice(0, 128), hasFeeds = true } = options;
  const receiver = await startReceiver(options);
  const service = await createService({
    dataDir: await temporaryDirectory(),
    adminToken: CONSOLE_TOKEN,
    feeds: hasFeeds
      ? [
          {
            kind: "tor",
            name: "Exits",
            entries: ["185.220.101.1"],
            source: options.name ? "https://check.torproject.org/torbulkexitlist" : HOSTILE,
            licence: "CC0 1.0",
          },
        ]
      : [],
  });
  onTestFinished(() => service.close());
  const { url: baseUrl, adminUrl: url } = await service.listen({ port: 0, host: "127.0.0.1" });
  const send = async (method: string, target: string, headers: object, body?: unknown) => {
    const answer = await fetch(target, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const admin: ConsoleRoom["admin"] = async (method, path, body) =>
    (await send(
      method,
      `${url}/admin/v1${path}`,
      { authorization: `Bearer ${CONSOLE_TOKEN}` },
      body,
    )) as never;
  const { application, key } = await admin<{ application: { id: string }; key: string }>(
    "POST",
    "/applications",
    {
      name,
      webhookUrl: receiver.url,
      allowedDestinations: ["127.0.0.0/8"],
    },
  );
  const made = await admin<{ key: string }>("POST", `/applications/${application.id}/keys`, {
    scope: "report",
  });
  return {
    url,
    baseUrl,
    receiver,
    applicationId: application.id,
    reportKey: made.key,
    lookupKey: key,
    admin,
    async report(events) {
      await send("POST", `${baseUrl}/v1/reports/events`, { "x-api-key": made.key }, events);
    },
  };
}

/** An event whose texts are all hostile. */
export function hostileEvent(kind: string, id: string): object {
  return {
    event_id: id,
    event_kind: kind,
    application_account_account_keys: [{ name: "email", value: `<b>ann</b>@shop.example` }],
    ips: [
      { address: "203.0.113.7", geo: { city: HOSTILE.slice(0, 100), code: "FRA", point: [2, 48] } },
    ],
    user_agent: HOSTILE,
    humanized_description: HOSTILE,
    risk: 90,
  };
}

/** A page of a new visitor, with what it asked of other origins and what went wrong in it. */
export interface Visit {
  readonly page: Page;
  readonly foreign: string[];
  readonly faults: string[];
}

/** Opens a page in a context of its own, which goes with the test. */
export async function visit(
  browser: Browser,
  { url }: Pick<ConsoleRoom, "url">,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const [foreign, faults]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // A refused request is shown as an error as well; what it was for is asserted where it matters.
    const isRefusal = /status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isRefusal) faults.push(message.text());
  });
  return { page, foreign, faults };
}

/** Signs in on the page that is open. */
export async function signIn(page: Page, token: string = CONSOLE_TOKEN): Promise<void> {
  await page.getByLabel("Administration token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens a page of the console, and signs in there. */
export async function openPage(
  browser: Browser,
  room: Pick<ConsoleRoom, "url">,
  path: string,
  options?: BrowserContextOptions,
): Promise<Visit> {
  const visited = await visit(browser, room, options);
  await visited.page.goto(path);
  await signIn(visited.page);
  // Another page must not be opened before there is a session.
  await visited.page.getByLabel("Administration token").waitFor({ state: "detached" });
  return visited;
}
