import type { IncomingMessage, ServerResponse } from "node:http";
import { type Challenge, createChallenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { describe, expect, it } from "vitest";
import { createAltchaChallenge } from "../../src/challenge/altcha-challenge.js";
import { doubleLookup } from "../support/double-lookup.js";
import { gatedServer, signUp } from "../support/gated-server.js";
import { thrown } from "../support/caught.js";

const SECRET = "altcha-secret-of-at-least-32-bytes";
/** Cheap enough for a busy machine. */
const CHEAP = { secret: SECRET, minTries: 2, maxTries: 6, iterations: 10 };
const LATER = new Date(Date.now() + 60_000);

interface Asked {
  readonly challengeToken: string;
  readonly altcha: Challenge;
}

/** Solves a task as the widget does. */
async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

const EMAIL = "ann@shop.example";

async function openShop(options: object = {}) {
  const { port } = await gatedServer({
    lookup: doubleLookup({ [EMAIL]: 70 }),
    challengeAbove: 60,
    budgetMs: 60_000,
    challenge: createAltchaChallenge(CHEAP),
    ...options,
  });
  const send = async (more: object = {}) => {
    const { status, text } = await signUp(port, { email: EMAIL, ...more });
    return status === 200 ? { status } : { status, ...(JSON.parse(text) as Asked) };
  };
  return async (more?: object) => (await send(more)) as { status: number } & Asked;
}

describe("a gate with createAltchaChallenge", () => {
  it("lets a request pass that brings the solution of its task", async () => {
    const send = await openShop();
    const { status, altcha, challengeToken } = await send();
    expect(status).toBe(403);
    expect(altcha.parameters).toMatchObject({
      algorithm: "PBKDF2/SHA-256",
      cost: 10,
      data: { token: challengeToken },
    });
    expect((await send({ challengeToken, altcha: await solve(altcha) })).status).toBe(200);
  });

  it("refuses a solution a second time", async () => {
    const send = await openShop();
    const { altcha, challengeToken } = await send();
    const solved = { challengeToken, altcha: await solve(altcha) };
    expect((await send(solved)).status).toBe(200);
    const again = await send(solved);
    expect(again.status).toBe(403);
    // Nor with the token of another task.
    const mixed = await send({ ...solved, challengeToken: again.challengeToken });
    expect(mixed.status).toBe(403);
  });

  it.each<[string, (asked: Asked) => Promise<unknown>]>([
    ["no solution", async () => undefined],
    [
      "a task that is not solved",
      async ({ altcha }) => btoa(JSON.stringify({ challenge: altcha })),
    ],
    ["an object", async ({ altcha }) => ({ challenge: altcha })],
    [
      "options of the verification beside the solution",
      async ({ altcha }) => {
        const solution = { counter: 0, derivedKey: "00".repeat(32) };
        return btoa(
          JSON.stringify({ challenge: altcha, solution, deriveKey: 1, hmacAlgorithm: "x" }),
        );
      },
    ],
    ["no base64", async () => "*"],
    ["too long a text", async ({ altcha }) => (await solve(altcha)).padEnd(10_000, " ")],
    [
      "a lower cost",
      async ({ altcha }) =>
        solve({ ...altcha, parameters: { ...altcha.parameters, cost: 1, keyPrefix: "00" } }),
    ],
    [
      "a task signed by another secret",
      async ({ altcha }) =>
        solve(
          await createChallenge({
            algorithm: "PBKDF2/SHA-256",
            cost: 1,
            counter: 1,
            data: altcha.parameters.data!,
            deriveKey,
            hmacSignatureSecret: "another",
            hmacKeySignatureSecret: "another",
          }),
        ),
    ],
    [
      "a wrong counter",
      async ({ altcha }) => {
        const solution = { counter: 0, derivedKey: "00".repeat(32) };
        return btoa(JSON.stringify({ challenge: altcha, solution }));
      },
    ],
  ])("refuses %s", async (_, answer) => {
    const send = await openShop();
    const asked = await send();
    const { status } = await send({
      challengeToken: asked.challengeToken,
      altcha: await answer(asked),
    });
    expect(status).toBe(403);
  });

  it("requires `verifyChallenge` too if there is one", async () => {
    let isRight = false;
    const send = await openShop({ verifyChallenge: () => isRight });
    for (const wanted of [403, 200]) {
      const { altcha, challengeToken } = await send();
      expect((await send({ challengeToken, altcha: await solve(altcha) })).status).toBe(wanted);
      isRight = true;
    }
  });

  it("passes the task to `onChallenge`", async () => {
    const tasks: unknown[] = [];
    const send = await openShop({
      onChallenge(
        _: unknown,
        { token, task }: { token: string; task?: object },
        ...[, response]: [IncomingMessage, ServerResponse]
      ) {
        tasks.push(task);
        response.writeHead(403).end(JSON.stringify({ challengeToken: token, altcha: task }));
      },
    });
    const { altcha } = await send();
    expect(tasks).toEqual([altcha]);
  });
});

describe("the task of createAltchaChallenge", () => {
  const { proof } = createAltchaChallenge({ ...CHEAP, minTries: 10, maxTries: 1_000 });
  const triesOf = async (score: number): Promise<number> => {
    const task = (await proof!.create({ token: "t", expiresAt: LATER, score })) as Challenge;
    return (await solveChallenge({ challenge: task, deriveKey }))!.counter;
  };

  it.each([
    [0, 5, 10],
    [50, 50, 100],
    [100, 500, 1_000],
  ])("costs at a score of %i from %i to %i tries", async (score, min, max) => {
    const tries = await triesOf(score);
    expect(tries).toBeGreaterThanOrEqual(min);
    expect(tries).toBeLessThanOrEqual(max);
  });

  it("expires", async () => {
    const expiresAt = new Date(Date.now() - 2_000);
    const task = (await proof!.create({ token: "t", expiresAt, score: 0 })) as Challenge;
    expect(await proof!.verify(await solve(task), "t")).toBe(false);
  });

  it("is accepted under an earlier secret, and for its token only", async () => {
    const task = (await proof!.create({ token: "t", expiresAt: LATER, score: 0 })) as Challenge;
    const solution = await solve(task);
    const rotated = createAltchaChallenge({ ...CHEAP, secret: [`new ${SECRET}`, SECRET] }).proof!;
    expect(await rotated.verify(solution, "t")).toBe(true);
    expect(await rotated.verify(solution, "u")).toBe(false);
    const other = createAltchaChallenge({ ...CHEAP, secret: `new ${SECRET}` }).proof!;
    expect(await other.verify(solution, "t")).toBe(false);
  });
});

it.each<[object, string]>([
  [{}, "`secret` must be a text of at least 32 bytes, or a list of them, given nothing"],
  [{ secret: SECRET, maxTries: 10 }, "`maxTries` must be a whole number of at least 200, given 10"],
  [{ secret: SECRET, minTrys: 10 }, "`minTrys`: unknown option; did you mean `minTries`?"],
])("refuses %j with the reason", (options, message) => {
  expect(thrown(() => createAltchaChallenge(options as never)).message).toBe(message);
});
