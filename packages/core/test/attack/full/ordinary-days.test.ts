import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createAttackMode } from "../../../src/attack/attack-mode.js";
import type { GatedRequest } from "../../../src/decision/gated-request.js";
import { createDevices } from "../../../src/device/devices.js";
import { createRequestGate } from "../../../src/gate/request-gate.js";
import type { Decision } from "../../../src/model/decision.js";
import { createMemoryVelocityStore } from "../../../src/velocity/memory-store.js";
import { createVelocity } from "../../../src/velocity/velocity.js";
import { outcomeWatchWith } from "../../../src/watch/outcome-watch.js";
import { readLoginWatch } from "../../../src/watch/login-watch-options.js";
import { readOptions } from "../../../src/base/options.js";
import { peekingLookup } from "../../support/double-lookup.js";

const DAY_MS = 24 * 3_600_000;
/** A Monday, 0:00 UTC. */
const START_MS = 1_750_032_000_000;
/** With the wrong passwords, about 20,000 requests. */
const LOGINS_PER_DAY = 18_500;
const PEOPLE = 8_000;

/** Share of a day's logins in each hour. */
const HOURS = [1, 1, 1, 1, 1, 2, 4, 7, 9, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 4, 3, 2];
const HOURS_SUM = HOURS.reduce((sum, hour) => sum + hour);

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A carrier and an office share addresses; everybody else has a connection. */
function addressOf(person: number): string {
  if (person < 1_500) return `37.1.0.${1 + (person % 4)}`;
  if (person < 1_900) return "194.2.3.4";
  return `84.${person >> 8}.${person & 255}.1`;
}

/** A login route with everything on, without sockets: 280,000 requests would take too long. */
function openRoute() {
  const clock = { nowMs: START_MS };
  const now = (): number => clock.nowMs;
  const device = createDevices({ secrets: "device-secret-of-at-least-32-bytes", now });
  const attackMode = createAttackMode({ now });
  const velocity = createVelocity({
    counts: "failed_logins",
    store: createMemoryVelocityStore({ now }),
  });
  const gate = createRequestGate<[object]>({
    lookup: peekingLookup({}, 0),
    velocity,
    device,
    attackMode,
    challengeAbove: 60,
    challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
    verifyChallenge: () => false,
  });
  const watch = outcomeWatchWith<[object]>(
    readOptions("loginWatch", { velocity, device, attackMode }, readLoginWatch<[object]>),
  );
  const logIn = async (email: string, ip: string, isRight: boolean, cookie?: string) => {
    let made: Decision | undefined;
    const request = {
      method: "POST",
      url: "/login",
      headers: cookie === undefined ? {} : { cookie },
      socket: {},
      readableDidRead: true,
    };
    const response = { once() {}, off() {}, headersSent: false, destroyed: false };
    const gated: GatedRequest<[object]> = {
      args: [request],
      request,
      response: response as unknown as ServerResponse,
      ip,
      body: { email },
      unsafeTrust: () => undefined,
      attach: (decision) => void (made = decision),
      addHeader() {},
      sendReply() {},
      isAnswered: () => false,
    };
    const passes = await gate.guard(gated);
    let set: string | undefined;
    if (passes) {
      const ended = watch.begin({ ...gated, response });
      if (isRight) {
        const headers = new Headers();
        await device.remember(headers, email);
        [set] = headers.getSetCookie().map((line) => line.split(";", 1).join(""));
      }
      await ended(isRight ? 204 : 401, [request]);
    }
    return { decision: made!, set };
  };
  return { clock, logIn };
}

describe("two weeks of 20,000 requests a day", () => {
  it("refuse nobody, and challenge nearly nobody once devices are known", async () => {
    const random = randomNumbers(1);
    const { clock, logIn } = openRoute();
    const cookies = new Map<number, string>();
    const outcomes = Array.from({ length: 14 }, () => ({
      allow: 0,
      flag: 0,
      challenge: 0,
      reject: 0,
      attack: 0,
    }));
    const account = (person: number): string => `person${person}@shop.example`;
    const count = (day: number, { outcome, attack }: Decision): void => {
      const counts = outcomes[day];
      if (!counts) return;
      counts[outcome]++;
      if (attack) counts.attack++;
    };
    const person = async (day: number): Promise<void> => {
      const who = Math.floor(random() * PEOPLE);
      const cookie = random() < 0.01 ? undefined : cookies.get(who);
      const typos = random() < 0.04 ? 1 + Math.floor(random() * 3) : 0;
      for (let typo = 0; typo < typos; typo++) {
        count(day, (await logIn(account(who), addressOf(who), false, cookie)).decision);
      }
      const { decision, set } = await logIn(account(who), addressOf(who), true, cookie);
      count(day, decision);
      if (set !== undefined) cookies.set(who, set);
    };
    for (let day = 0; day < 14; day++) {
      for (const [hour, weight] of HOURS.entries()) {
        const logins = Math.round((LOGINS_PER_DAY * weight) / HOURS_SUM);
        for (let login = 0; login < logins; login++) {
          clock.nowMs = START_MS + day * DAY_MS + (hour + login / logins) * 3_600_000;
          await person(day);
          // Some bots guess at all times; they are not part of the figures.
          if (login % 60 === 0) {
            const guessed = account(Math.floor(random() * PEOPLE));
            await logIn(guessed, `20.${Math.floor(random() * 200)}.7.${day}`, false);
          }
        }
      }
    }
    const total = (name: "allow" | "challenge" | "flag" | "reject", from: number): number =>
      outcomes.slice(from).reduce((sum, one) => sum + one[name], 0);
    expect(total("reject", 0)).toBe(0);
    const known = total("allow", 3) + total("flag", 3) + total("challenge", 3);
    expect(known).toBeGreaterThan(11 * LOGINS_PER_DAY);
    expect(total("challenge", 3) / known).toBeLessThan(0.005);
    expect(outcomes.every(({ attack }) => attack === 0)).toBe(true);
  });
});
