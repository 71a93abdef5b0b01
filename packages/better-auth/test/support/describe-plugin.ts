import { describe, expect, it } from "vitest";
import { revokeSessions } from "../../src/revoke-sessions.js";
import { type AuthApp, type Framework, type Library, openAuthApp } from "./auth-app.js";
import type { Browser } from "./browser.js";

const PASSWORD = "correct horse battery staple";

const signUp = (browser: Browser, email: string, headers: Record<string, string> = {}) =>
  browser.post("/sign-up/email", { email, password: PASSWORD, name: "Ada" }, headers);

const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.post("/sign-in/email", { email, password });

/** Passes the OAuth provider, and returns where the callback sends the browser. */
async function throughProvider({ oauth }: AuthApp, browser: Browser, email: string) {
  oauth.as(email);
  const targets = { callbackURL: "/welcome", errorCallbackURL: "/failed" };
  // Version 1.6 has a separate endpoint for providers of the plugin.
  let start = await browser.post("/sign-in/social", { provider: "local", ...targets });
  if (start.status === 404) {
    start = await browser.post("/sign-in/oauth2", { providerId: "local", ...targets });
  }
  const approved = await browser.get(String(start.body["url"]));
  return browser.get(String(approved.location));
}

async function usersOf({ auth }: AuthApp, email: string): Promise<boolean> {
  const { internalAdapter } = await auth.$context;
  return (await internalAdapter.findUserByEmail(email)) !== null;
}

/** The promises of the plugin, on one version of Better Auth and one framework. */
export function describePlugin(name: string, library: Library, framework: Framework): void {
  const open: (options?: Parameters<typeof openAuthApp>[2]) => Promise<AuthApp> = async (options) =>
    openAuthApp(library, framework, options);

  describe(`the plugin on ${name} in ${framework}`, () => {
    it.each(["allow", "flag"])(
      "passes a sign-up with the outcome %s, and its login",
      async (word) => {
        const app = await open();
        const email = `${word}@shop.example`;
        expect(await signUp(app.browser(), email)).toMatchObject({ status: 200 });
        const login = await signIn(app.browser(), email);
        expect(login.status).toBe(200);
        expect(login.cookies.some((cookie) => cookie.includes("riskgate"))).toBe(true);
      },
    );

    it("refuses a sign-up, and stores nothing", async () => {
      const app = await open();
      const refused = await signUp(app.browser(), "reject@shop.example");
      expect(refused).toMatchObject({
        status: 403,
        body: { code: "RISK_REJECTED", message: "The request was refused" },
      });
      expect(refused.body).not.toHaveProperty("score");
      expect(await usersOf(app, "reject@shop.example")).toBe(false);
    });

    it("challenges a sign-up, and passes it with the token and the solution", async () => {
      const app = await open();
      const browser = app.browser();
      const asked = await signUp(browser, "challenge@shop.example");
      expect(asked).toMatchObject({ status: 403, body: { code: "CHALLENGE_REQUIRED" } });
      const token = String(asked.body["challengeToken"]);
      const wrong = { "x-challenge-token": token, "x-captcha": "wrong" };
      const again = await signUp(browser, "challenge@shop.example", wrong);
      expect(again.status).toBe(403);
      const right = {
        "x-challenge-token": String(again.body["challengeToken"]),
        "x-captcha": "solved",
      };
      expect(await signUp(browser, "challenge@shop.example", right)).toMatchObject({ status: 200 });
    });

    it.each([
      ["allow", 200],
      ["reject", 503],
    ] as const)("in an outage, follows whenUnavailable: %s", async (whenUnavailable, status) => {
      const app = await open({ whenUnavailable });
      expect((await signUp(app.browser(), "down@shop.example")).status).toBe(status);
    });

    it("reports logins by their outcome", async () => {
      const app = await open();
      await signUp(app.browser(), "ada@shop.example");
      await signIn(app.browser(), "ada@shop.example", "a wrong password");
      await signIn(app.browser(), "ada@shop.example");
      await signIn(app.browser(), "reject@shop.example");
      expect(app.logins.map((login) => login.split(" ").at(-1))).toEqual(["failure", "success"]);
      expect(app.logins.join()).toContain("ada@shop.example");
      expect(app.logins.join()).not.toContain("reject@");
    });

    it("creates an account after an OAuth callback, and reports its login", async () => {
      const app = await open();
      const back = await throughProvider(app, app.browser(), "ada@shop.example");
      expect(back).toMatchObject({
        status: 302,
        location: expect.stringMatching(/\/welcome$/) as string,
      });
      expect(await usersOf(app, "ada@shop.example")).toBe(true);
      expect(app.logins).toHaveLength(1);
      expect(app.logins[0]).toMatch(/ada@shop\.example.* success$/);
    });

    it("refuses an OAuth callback that would create a risky account", async () => {
      const app = await open();
      const back = await throughProvider(app, app.browser(), "reject@shop.example");
      expect(back.status).toBe(302);
      expect(back.location).toContain("/failed?error=");
      expect(await usersOf(app, "reject@shop.example")).toBe(false);
      expect(app.logins).toEqual([]);
    });

    it("guards magic links when they are requested, and reports their login", async () => {
      const app = await open();
      const browser = app.browser();
      const refused = await browser.post("/sign-in/magic-link", { email: "reject@shop.example" });
      expect(refused).toMatchObject({ status: 403, body: { code: "RISK_REJECTED" } });
      expect(app.sent.size).toBe(0);
      await browser.post("/sign-in/magic-link", { email: "ada@shop.example" });
      expect(app.logins).toEqual([]);
      await browser.get(String(app.sent.get("ada@shop.example")));
      expect(await usersOf(app, "ada@shop.example")).toBe(true);
      expect(app.logins).toHaveLength(1);
    });

    it("guards codes, and reports wrong and right ones", async () => {
      const app = await open();
      const browser = app.browser();
      const ask = (email: string) =>
        browser.post("/email-otp/send-verification-otp", { email, type: "sign-in" });
      expect((await ask("reject@shop.example")).status).toBe(403);
      expect((await ask("ada@shop.example")).status).toBe(200);
      const enter = (otp: string) =>
        browser.post("/sign-in/email-otp", { email: "ada@shop.example", otp });
      expect((await enter("wrong")).status).toBe(400);
      expect((await enter(String(app.sent.get("ada@shop.example")))).status).toBe(200);
      expect(app.logins.map((login) => login.split(" ").at(-1))).toEqual(["failure", "success"]);
    });

    it("guards password resets and changes of the email", async () => {
      const app = await open();
      const browser = app.browser();
      await signUp(browser, "ada@shop.example");
      const reset = await browser.post("/request-password-reset", { email: "reject@shop.example" });
      expect(reset.status).toBe(403);
      const change = (newEmail: string) => browser.post("/change-email", { newEmail });
      expect(await change("reject@shop.example")).toMatchObject({
        status: 403,
        body: { code: "RISK_REJECTED" },
      });
      expect(await usersOf(app, "reject@shop.example")).toBe(false);
      expect((await change("eve@shop.example")).status).toBe(200);
    });

    it("revokes the sessions of an account that a response names", async () => {
      const app = await open();
      const browser = app.browser();
      await signUp(browser, "ada@shop.example");
      const response = {
        properties: { user_identifiers: [{ email: "Ada@shop.example" }, { email: "x@y.example" }] },
      };
      expect((await browser.get("/api/auth/get-session")).body).toHaveProperty("session");
      expect(await revokeSessions(app.auth, response)).toBe(1);
      expect((await browser.get("/api/auth/get-session")).body).not.toHaveProperty("session");
    });
  });
}
