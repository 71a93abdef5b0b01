import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Recipe, startRecipe } from "../recipe.js";

/** Has a score of 100 without any list. */
const HARMFUL = "<script>alert(1)</script>@shop.example";
const PASSWORD = "correct horse battery staple";

let recipe: Recipe;
const open = (document: string, mark: string) => {
  beforeAll(async () => {
    const settings = {
      BETTER_AUTH_SECRET: "value-0123456789abcdef-0123456789abcdef",
      RISKGATE_SIGNING_SECRET: "hook-secret-1",
    };
    recipe = await startRecipe(document, mark, { addresses: {}, settings });
  });
  afterAll(async () => recipe.close());
};

const post = async (path: string, body: Record<string, string>) => {
  const origin = `http://localhost:${recipe.port}`;
  const headers = { "content-type": "application/json", origin, "x-real-ip": "203.0.113.7" };
  const answer = await fetch(origin + path, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};

describe("docs/recipes/passport.md", () => {
  open("docs/recipes/passport.md", "passport-local");

  it("accepts the right password and refuses a wrong one", async () => {
    const email = "ada@example.com";
    expect(await post("/login", { email, password: PASSWORD })).toMatchObject({ status: 204 });
    expect(await post("/login", { email, password: "wrong" })).toMatchObject({ status: 401 });
  });

  it("refuses a risky login before it checks the password", async () => {
    const { status, text } = await post("/login", { email: HARMFUL, password: PASSWORD });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ code: "RISK_REJECTED" });
  });
});

describe("docs/recipes/better-auth.md", () => {
  open("docs/recipes/better-auth.md", "betterAuth(");
  const path = "/api/auth/sign-up/email";

  it("passes a sign-up and the login after it", async () => {
    const email = "ada@example.com";
    const signedUp = await post(path, { name: "Ada", email, password: PASSWORD });
    expect(signedUp, signedUp.text).toMatchObject({ status: 200 });
    const login = await post("/api/auth/sign-in/email", { email, password: PASSWORD });
    expect(login, login.text).toMatchObject({ status: 200 });
  });

  it("refuses a risky sign-up with the answer of the gate", async () => {
    const { status, text } = await post(path, { name: "Eve", email: HARMFUL, password: PASSWORD });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ code: "RISK_REJECTED" });
  });

  it("does not guard other endpoints", async () => {
    const answer = await fetch(`http://localhost:${recipe.port}/api/auth/ok`);
    expect(answer.status).toBe(200);
  });
});
