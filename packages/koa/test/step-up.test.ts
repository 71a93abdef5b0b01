import { createFakeService, type FakeService } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeMail, serveMail } from "../../../tools/test/fake-mail.js";
import { type Recipe, startRecipe } from "../../../tools/test/recipe.js";

const POSTMARK = "https://api.postmarkapp.com/email";
const TOKEN = "5f1e7c0a-9b3d-4e2f-8a6c-1d7000000000";

describe("CHL-12 the recipe for a code sent by email", () => {
  let mail: FakeMail;
  let service: FakeService;
  let recipe: Recipe;

  beforeAll(async () => {
    mail = await serveMail(TOKEN);
    service = await createFakeService({
      answers: { "good@shop.example": { risk_score: 0 } },
      otherwise: { risk_score: 70 },
    });
    recipe = await startRecipe("docs/step-up.md", POSTMARK, {
      addresses: { [POSTMARK]: mail.url },
      settings: {
        RISKGATE_BASE_URL: service.baseUrl,
        RISKGATE_API_KEY: service.apiKey,
        POSTMARK_TOKEN: TOKEN,
        CHALLENGE_SECRET: "0123456789abcdef0123456789abcdef",
      },
    });
  });
  afterAll(async () => {
    await Promise.all([recipe.close(), mail.close(), service.close()]);
  });

  const signUp = async (email: string, code?: unknown, challengeToken?: string) => {
    const response = await fetch(`http://localhost:${recipe.port}/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, code, challengeToken }),
    });
    const answer = (await response.json()) as {
      code?: string;
      isWrong?: boolean;
      challengeToken?: string;
    };
    return { status: response.status, ...answer };
  };
  const mailsTo = (email: string) => mail.sent.filter(({ To }) => To === email);
  /** The code in the one mail to an address. */
  const codeFor = async (email: string): Promise<string> => {
    await expect.poll(() => mailsTo(email)).toHaveLength(1);
    return /\d{6}/.exec(mailsTo(email).at(0)!.TextBody)![0];
  };
  const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

  it("sends no code where nobody is asked", async () => {
    expect(await signUp("good@shop.example")).toEqual({ status: 201, verified: false });
    expect(mailsTo("good@shop.example")).toEqual([]);
  });

  it("passes once with the code that was sent", async () => {
    const email = "right@shop.example";
    const { challengeToken, ...first } = await signUp(email);
    expect(first).toEqual({ status: 403, code: "CODE_SENT", isWrong: false });
    const code = await codeFor(email);
    expect(mailsTo(email)).toMatchObject([{ From: "sign-up@shop.example", Subject: "Your code" }]);
    expect(await signUp(email, code, challengeToken)).toEqual({ status: 201, verified: true });
    const second = await signUp(email);
    expect((await signUp(email, code, second.challengeToken)).status).toBe(403);
  });

  it("takes a second attempt, and sends no second mail for it", async () => {
    const email = "typo@shop.example";
    const first = await signUp(email);
    const code = await codeFor(email);
    const wrong = await signUp(email, other(code), first.challengeToken);
    expect(wrong).toMatchObject({ status: 403, isWrong: true });
    expect((await signUp(email, code, first.challengeToken)).status).toBe(403);
    expect((await signUp(email, code, wrong.challengeToken)).status).toBe(201);
    expect(mailsTo(email)).toHaveLength(1);
  });

  it("takes no sixth attempt", async () => {
    const email = "guessed@shop.example";
    let { challengeToken } = await signUp(email);
    const code = await codeFor(email);
    for (let n = 0; n < 5; n++) {
      ({ challengeToken } = await signUp(email, other(code), challengeToken));
    }
    expect((await signUp(email, code, challengeToken)).status).toBe(403);
    expect(mailsTo(email)).toHaveLength(1);
  });

  it("takes the code of one mailbox for no other", async () => {
    const [one, two] = ["one@shop.example", "two@shop.example"] as const;
    await signUp(one);
    const { challengeToken } = await signUp(two);
    expect((await signUp(two, other(await codeFor(two)), challengeToken)).status).toBe(403);
    const { challengeToken: fresh } = await signUp(two);
    const foreign = await codeFor(one);
    const isEqual = foreign === (await codeFor(two));
    expect((await signUp(two, foreign, fresh)).status).toBe(isEqual ? 201 : 403);
  });

  it.each([undefined, "", "12345", "1234567", "abcdef", 123_456, ["123456"], "12345\u0661"])(
    "takes %j for a wrong code",
    async (code) => {
      const email = `form${String(code).length}${typeof code}@shop.example`;
      const { challengeToken } = await signUp(email);
      expect((await signUp(email, code, challengeToken)).status).toBe(403);
      expect(recipe.said()).not.toContain("HOOK_FAILED");
    },
  );

  it("asks for a code although no mail can be sent", async () => {
    for (const status of [500, 401]) {
      mail.break(status);
      const before = recipe.said().length;
      expect((await signUp(`down${status}@shop.example`)).code).toBe("CODE_SENT");
      await expect
        .poll(() => recipe.said().slice(before))
        .toContain(`the mail service answered ${status}`);
    }
    mail.break(0);
    expect((await signUp("down@shop.example")).code).toBe("CODE_SENT");
    expect(recipe.said()).not.toContain(TOKEN);
  });
});
