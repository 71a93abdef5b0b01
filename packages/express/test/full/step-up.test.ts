import { createFakeService, type FakeService } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeCaptcha, serveCaptcha, TURNSTILE } from "../../../../tools/test/fake-captcha.js";
import { type Recipe, startRecipe } from "../../../../tools/test/recipe.js";

const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

describe("CHL-12 the recipe for Turnstile", () => {
  let captcha: FakeCaptcha;
  let service: FakeService;
  let recipe: Recipe;

  beforeAll(async () => {
    captcha = await serveCaptcha(TURNSTILE);
    service = await createFakeService({
      answers: { "odd@shop.example": { risk_score: 70 }, "bad@shop.example": { risk_score: 95 } },
    });
    recipe = await startRecipe("docs/step-up.md", SITEVERIFY, {
      addresses: { [SITEVERIFY]: captcha.url },
      settings: {
        RISKGATE_BASE_URL: service.baseUrl,
        RISKGATE_API_KEY: service.apiKey,
        TURNSTILE_SECRET: TURNSTILE.secret,
        CHALLENGE_SECRET: "0123456789abcdef0123456789abcdef",
      },
    });
  });
  afterAll(async () => {
    await Promise.all([recipe.close(), captcha.close(), service.close()]);
  });

  const signUp = async (more: object = {}, email = "odd@shop.example") => {
    const response = await fetch(`http://localhost:${recipe.port}/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, ...more }),
    });
    const answer = (await response.json()) as { code?: string; challengeToken?: string };
    return { status: response.status, ...answer };
  };
  const asked = async (): Promise<object> => {
    const { challengeToken } = await signUp();
    return { challengeToken };
  };
  const response = (text: unknown) => ({ "cf-turnstile-response": text });

  it("lets a visitor pass who solves it", async () => {
    expect(await signUp({}, "good@shop.example")).toEqual({ status: 201, verified: false });
    expect(await signUp()).toMatchObject({ status: 403, code: "CHALLENGE_REQUIRED" });
    const answer = { ...(await asked()), ...response(captcha.solve()) };
    expect(await signUp(answer)).toEqual({ status: 201, verified: true });
    const { remoteip, ...given } = captcha.asked.at(-1)!;
    expect(given).toEqual({ secret: TURNSTILE.secret, response: expect.any(String) as string });
    expect(remoteip).toMatch(/^(::1|::ffff:127\.0\.0\.1|127\.0\.0\.1)$/);
    expect(await signUp(answer)).toMatchObject({ code: "CHALLENGE_REQUIRED" });
  });

  it("refuses a high score, solved or not", async () => {
    const answer = { ...(await asked()), ...response(captcha.solve()) };
    expect(await signUp(answer, "bad@shop.example")).toMatchObject({ code: "RISK_REJECTED" });
  });

  it.each<[string, () => object]>([
    ["nothing", () => ({})],
    ["no text", () => response([captcha.solve()])],
    ["a text that is too long", () => response("x".repeat(2049))],
    ["an invented response", () => response("invented")],
    ["one for another site", () => response(captcha.solve({ hostname: "evil.example" }))],
    ["one of another widget", () => response(captcha.solve({ action: "newsletter" }))],
    ["one of which it is not sure", () => response(captcha.solve({ success: "true" }))],
  ])("does not pass %s", async (_, solve) => {
    const first = await signUp({ ...(await asked()), ...solve() });
    expect(first).toMatchObject({ status: 403, code: "CHALLENGE_REQUIRED" });
    const { challengeToken } = first;
    const second = await signUp({ challengeToken, ...response(captcha.solve()) });
    expect(second.status).toBe(201);
  });

  it("does not pass a response that was used", async () => {
    const solved = response(captcha.solve());
    expect((await signUp({ ...(await asked()), ...solved })).status).toBe(201);
    expect((await signUp({ ...(await asked()), ...solved })).status).toBe(403);
  });

  it.each<[string, Parameters<FakeCaptcha["break"]>[0]]>([
    ["fails", { status: 500, text: "<h1>Internal error</h1>" }],
    ["answers with a page", { status: 200, text: "<h1>Checking your browser</h1>" }],
    ["answers with nothing", { status: 200, text: "null" }],
    ["leads elsewhere", { status: 307, text: "", to: "http://127.0.0.1:9/" }],
    ["never answers", null],
  ])("passes nobody while the service %s, and says why", async (_, broken) => {
    const before = recipe.said().length;
    const answer = { ...(await asked()), ...response(captcha.solve()) };
    captcha.break(broken);
    expect(await signUp(answer)).toMatchObject({ status: 403, code: "CHALLENGE_REQUIRED" });
    await expect.poll(() => recipe.said().slice(before)).toContain("HOOK_FAILED");
    expect(recipe.said()).not.toContain(TURNSTILE.secret);
    const again = { ...(await asked()), ...response(captcha.solve()) };
    expect((await signUp(again)).status).toBe(201);
  });
});
