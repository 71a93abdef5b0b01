import { createFakeService, type FakeService } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeCaptcha, HCAPTCHA, serveCaptcha } from "../../../../tools/test/fake-captcha.js";
import { type Recipe, startRecipe } from "../../../../tools/test/recipe.js";

const SITEVERIFY = "https://api.hcaptcha.com/siteverify";
const HOSTILE = `"><script>alert(1)</script>`;

describe("CHL-12 the recipe for hCaptcha", () => {
  let captcha: FakeCaptcha;
  let service: FakeService;
  let recipe: Recipe;

  beforeAll(async () => {
    captcha = await serveCaptcha(HCAPTCHA);
    service = await createFakeService({
      answers: { "odd@shop.example": { risk_score: 70 } },
    });
    recipe = await startRecipe("docs/step-up.md", SITEVERIFY, {
      addresses: { [SITEVERIFY]: captcha.url },
      settings: {
        RISKGATE_BASE_URL: service.baseUrl,
        RISKGATE_API_KEY: service.apiKey,
        HCAPTCHA_SECRET: HCAPTCHA.secret,
        HCAPTCHA_SITEKEY: "site-key",
        CHALLENGE_SECRET: "0123456789abcdef0123456789abcdef",
      },
    });
  });
  afterAll(async () => {
    await Promise.all([recipe.close(), captcha.close(), service.close()]);
  });

  /** Send a form, and read the fields of the page that comes back. */
  const send = async (fields: Record<string, string>) => {
    const response = await fetch(`http://localhost:${recipe.port}/signup`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    const text = await response.text();
    const hidden = [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)];
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      cache: response.headers.get("cache-control"),
      text,
      fields: Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value])),
    };
  };

  it("shows a page whose form passes once it is solved", async () => {
    const page = await send({ email: "odd@shop.example" });
    expect(page).toMatchObject({
      status: 403,
      type: "text/html; charset=utf-8",
      cache: "no-store",
      fields: { email: "odd@shop.example", challengeToken: expect.stringMatching(/^rgc1\./) },
    });
    expect(page.text).toContain('class="h-captcha" data-sitekey="site-key"');
    expect(page.text).toContain("Please confirm");
    const solved = { ...page.fields, "h-captcha-response": captcha.solve() };
    const answer = await send(solved);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([201, { verified: true }]);
    const { remoteip, ...given } = captcha.asked.at(-1)!;
    expect(given).toMatchObject({ secret: HCAPTCHA.secret, sitekey: "site-key" });
    expect(["127.0.0.1", "::1"]).toContain(remoteip);
    expect((await send(solved)).status).toBe(403);
  });

  it.each<[string, () => Record<string, string>]>([
    ["nothing", () => ({})],
    ["an invented response", () => ({ "h-captcha-response": "invented" })],
    [
      "one for another site",
      () => ({ "h-captcha-response": captcha.solve({ hostname: "evil.example" }) }),
    ],
  ])("shows the page again for %s", async (_, solve) => {
    const { fields } = await send({ email: "odd@shop.example" });
    const again = await send({ ...fields, ...solve() });
    expect(again.status).toBe(403);
    expect(again.text).toContain("That did not work");
    const solved = { ...again.fields, "h-captcha-response": captcha.solve() };
    expect((await send(solved)).status).toBe(201);
  });

  it.each<[string, Parameters<FakeCaptcha["break"]>[0]]>([
    ["fails", { status: 503, text: "upstream error" }],
    ["never answers", null],
  ])("shows the page again while the service %s", async (_, broken) => {
    const { fields } = await send({ email: "odd@shop.example" });
    captcha.break(broken);
    const solved = { ...fields, "h-captcha-response": captcha.solve() };
    expect((await send(solved)).status).toBe(403);
    await expect.poll(() => recipe.said()).toContain("HOOK_FAILED");
    expect(recipe.said()).not.toContain(HCAPTCHA.secret);
  });

  it("repeats no markup of the visitor", async () => {
    const email = `odd@shop.example${HOSTILE}`;
    service.set(email, { risk_score: 70 });
    service.set(`"${HOSTILE}"@shop.example`, { risk_score: 70 });
    const quoted = await send({ email: `"${HOSTILE.replaceAll('"', '\\"')}"@shop.example` });
    for (const { text } of [await send({ email }), quoted]) {
      expect(text).not.toContain("<script>alert");
    }
  });
});
