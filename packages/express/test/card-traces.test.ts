import type { AddressInfo } from "node:net";
import { createFakeLookup } from "@riskgate/testing";
import express, { type Request } from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { createVelocity, riskGate } from "../src/index.js";

const DAY_MS = 86_400_000;

/** A sign-up route that counts cards over a day, and challenges their second use. */
async function openShop() {
  const velocity = createVelocity({
    by: { card: (request: Request) => (request.body as { card?: unknown }).card },
    limits: { card: { from: 1, to: 2, weight: 75, windowMs: DAY_MS } },
    secret: "velocity-secret-of-at-least-32-bytes",
  });
  const gate = riskGate({
    lookup: createFakeLookup({}, { inMemory: true }),
    velocity,
    trustedProxies: ["127.0.0.0/8"],
    challengeAbove: 60,
    challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
    verifyChallenge: () => false,
  });
  const app = express();
  app.post("/signup", express.json(), gate, (_, response) => void response.sendStatus(201));
  const server = app.listen(0);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  let people = 0;
  /** A person's sign-up, from an address and with an email that nobody else has. */
  return async (card: string): Promise<number> => {
    const person = people++;
    const answer = await fetch(`http://127.0.0.1:${port}/signup`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `${20 + (person % 60)}.${person >> 6}.7.9`,
      },
      body: JSON.stringify({ email: `p@shop${person}.example`, card }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}

describe("sign-ups that are counted by card", () => {
  it("stop 70 accounts on 4 cards, except for the first use of each card", async () => {
    const signUp = await openShop();
    const statuses: number[] = [];
    for (let index = 0; index < 70; index++) statuses.push(await signUp(`stolen ${index % 4}`));
    expect(statuses.slice(0, 4)).toEqual([201, 201, 201, 201]);
    expect(statuses.slice(4).every((status) => status === 403)).toBe(true);
  });

  it("challenge one ordinary sign-up in 2,000, whose card was used before", async () => {
    const signUp = await openShop();
    const all = Array.from({ length: 2_000 }, (_, person) => `card ${person % 1_999}`);
    const statuses: number[] = [];
    for (let at = 0; at < all.length; at += 50) {
      statuses.push(...(await Promise.all(all.slice(at, at + 50).map(signUp))));
    }
    expect(statuses.filter((status) => status === 403)).toHaveLength(1);
  });
});

it("counts a card once for a request that has several emails", async () => {
  const velocity = createVelocity({
    by: { card: ({ headers }: Request) => headers["x-card"] },
    limits: { card: { from: 1, to: 2, weight: 75 } },
    secret: "velocity-secret-of-at-least-32-bytes",
  });
  const gate = riskGate({ lookup: createFakeLookup(), velocity, trustedProxies: ["127.0.0.0/8"] });
  const app = express();
  app.post("/signup", express.text(), gate, (request, response) => {
    response.json(request.risk?.velocity?.signals ?? []);
  });
  const server = app.listen(0);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const signUp = async (body: string): Promise<unknown> => {
    const headers = {
      "content-type": "text/plain",
      "x-card": "4242",
      "x-forwarded-for": "9.9.9.9",
    };
    const url = `http://127.0.0.1:${port}/signup`;
    return (await fetch(url, { method: "POST", headers, body })).json();
  };
  const several = '{"email":"a@one.example","x":"&email=b@two.example&email=c@three.example"}';
  expect(await signUp(several)).toEqual([]);
  expect(await signUp('{"email":"d@four.example"}')).toEqual([
    { name: "by.card", count: 2, weight: 75 },
  ]);
});
