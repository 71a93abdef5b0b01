import { Agent, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import type { Decision, LoginReport, Reporter } from "@riskgate/core";
import { createMemoryVelocityStore } from "@riskgate/core/velocity";
import { createFakeLookup } from "@riskgate/testing";
import express from "express";
import { onTestFinished } from "vitest";
import {
  createAttackMode,
  createDevices,
  createVelocity,
  loginWatch,
  riskGate,
} from "../../src/index.js";

export const HOUR_MS = 3_600_000;
export const START_MS = 1_750_000_200_000;

export interface Answer {
  readonly status: number;
  readonly cookies: readonly string[];
  /** Answers the challenge that the response contains. */
  readonly token: string | undefined;
}

/** A login route with all protections on, on a clock that the test sets. */
export async function openShop({
  scores = {},
  parallel = 1,
  passwordMs = 0,
  hasAttackMode = false,
} = {}) {
  const clock = { nowMs: 0 };
  const decisions: Decision[] = [];
  const logins: LoginReport[] = [];
  /** Guesses that reached the password, by account. */
  const reached = new Map<string, number>();
  const store = createMemoryVelocityStore({ now: () => clock.nowMs });
  const velocity = createVelocity({ counts: "failed_logins", store });
  const device = createDevices({
    secrets: "device-secret-of-at-least-32-bytes",
    now: () => START_MS + clock.nowMs,
  });
  const reporter = { login: (one: LoginReport) => void logins.push(one) } as Reporter;
  const attackMode = createAttackMode({ now: () => START_MS + clock.nowMs });
  const options = {
    velocity,
    device,
    trustedProxies: ["127.0.0.0/8"],
    ...(hasAttackMode && { attackMode }),
  };
  const gate = riskGate({
    ...options,
    lookup: createFakeLookup(scores),
    challengeAbove: 60,
    challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
    verifyChallenge: ({ headers }) => headers["x-captcha"] === "solved",
    onDecision: (decision) => void decisions.push(decision),
  });
  const app = express();
  const watch = loginWatch({ ...options, reporter });
  const slowly: express.RequestHandler = (_request, _response, next) => {
    if (passwordMs === 0) next();
    else setTimeout(next, passwordMs);
  };
  app.post("/login", express.json(), gate, watch, slowly, (request, response, next) => {
    const { email, password } = request.body as { email: string; password: string };
    if (password !== "right") {
      reached.set(email, (reached.get(email) ?? 0) + 1);
      response.sendStatus(401);
      return;
    }
    const remembered = Promise.resolve(device.remember(response, email));
    remembered.then(() => response.sendStatus(204)).catch(next);
  });
  const server = app.listen(0);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  // One connection answers in order, so each login is counted before the next one.
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const logIn = (
    email: string,
    ip: string,
    password: string,
    cookie = "",
    token = "",
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        "content-type": "application/json",
        "x-forwarded-for": ip,
        ...(cookie && { cookie }),
        ...(token && { "x-challenge-token": token, "x-captcha": "solved" }),
      };
      const options = { port, path: "/login", method: "POST", agent, headers };
      send(options, (response: IncomingMessage) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.once("end", () => {
          const cookies = (response.headers["set-cookie"] ?? []).map((line) =>
            line.split(";", 1).join(""),
          );
          const [, token] =
            /"challengeToken":"([^"]+)"/.exec(Buffer.concat(parts).toString()) ?? [];
          resolve({ status: response.statusCode!, cookies, token });
        });
      })
        .once("error", reject)
        .end(JSON.stringify({ email, password }));
    });
  return { clock, decisions, logins, reached, logIn, device };
}

/** Makes numbers from 0 to below 1, equal for equal seeds. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
