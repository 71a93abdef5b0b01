import { describe, expect, it } from "vitest";
import { createAttackMode } from "../../src/attack/attack-mode.js";
import { createDevices } from "../../src/device/devices.js";
import { createRequestGate } from "../../src/gate/request-gate.js";
import { createRejudge } from "../../src/gate/rejudge.js";
import { recordOf } from "../../src/log/decision-record.js";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import type { MadeDecision } from "../../src/log/log-step.js";
import { parseDecisionRecord } from "../../src/log/read-record.js";
import { thrown } from "../support/caught.js";
import { peekingLookup } from "../support/double-lookup.js";
import { gatedServer, type GatedServerOptions, signUp } from "../support/gated-server.js";

const SECRET = "device-secret-of-at-least-32-bytes";
const ANN = "ann@shop.example";
const MINIMUM = 3;

const challenging = {
  challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
  verifyChallenge: ({ headers }: { headers: Record<string, unknown> }) =>
    headers["x-answer"] === "right",
};

async function open(
  options: Partial<GatedServerOptions> = {},
  mode: "enforce" | "observe" = "enforce",
) {
  const device = createDevices({ secrets: SECRET });
  const headers = new Headers();
  await device.remember(headers, ANN);
  const cookie = headers.getSetCookie().join().split(";", 1).join("");
  const attackMode = createAttackMode({ minimum: MINIMUM, mode, now: () => 1_750_000_200_000 });
  const made: MadeDecision[] = [];
  const server = await gatedServer({
    lookup: peekingLookup({ "8.8.8.8": 90, "9.9.9.9": 50 }, 0),
    device,
    attackMode,
    log: { record: (one) => void made.push(one) },
    ...challenging,
    ...options,
  });
  const attack = async (): Promise<void> => {
    for (let index = 0; index < MINIMUM; index++) {
      await signUp(server.port, { email: `user${index}@shop.example` });
    }
  };
  return { server, cookie, attack, made, last: () => server.decisions.at(-1)! };
}

describe("a gate with `attackMode`", () => {
  it("challenges every login without a known device, and says why", async () => {
    const { server, cookie, attack, last } = await open();
    await attack();
    expect(server.decisions.every((decision) => decision?.outcome === "allow")).toBe(true);
    expect((await signUp(server.port, { email: ANN })).status).toBe(403);
    expect(last()).toMatchObject({
      outcome: "challenge",
      because: "attack_mode",
      attack: { failures: 4, limit: MINIMUM, sign: "success_ratio", enforced: true },
    });
    await signUp(server.port, { email: "new@shop.example" }, { cookie });
    expect(last()).toMatchObject({ outcome: "challenge", device: "new" });
    await signUp(server.port, { email: ANN }, { cookie });
    expect(last()).toMatchObject({ outcome: "allow", device: "known", because: "score" });
    expect(last().attack).toBeUndefined();
  });

  it("raises a flag, keeps a rejection, and lets a rule allow", async () => {
    const flagged = await open({ frameworkIp: "9.9.9.9" });
    await flagged.attack();
    await signUp(flagged.server.port, { email: ANN });
    expect(flagged.last()).toMatchObject({ outcome: "challenge", because: "attack_mode" });

    const allowed = await open({
      rules: [{ name: "office", when: { domain: ["shop.example"] }, outcome: "allow" }],
    });
    await allowed.attack();
    await signUp(allowed.server.port, { email: ANN });
    expect(allowed.last()).toMatchObject({ outcome: "allow", because: "rule" });
  });

  it("does not count logins that it rejects", async () => {
    const { server, attack, last } = await open({ frameworkIp: "8.8.8.8" });
    await attack();
    await signUp(server.port, { email: ANN });
    expect(last()).toMatchObject({ outcome: "reject", because: "score" });
    expect(last().attack).toBeUndefined();
  });

  it("lets a client pass that answers its challenge, which then no longer counts", async () => {
    const { server, attack, last } = await open();
    await attack();
    for (let index = 0; index < 3; index++) {
      const email = `owner${index}@shop.example`;
      const { text } = await signUp(server.port, { email });
      const { challengeToken } = JSON.parse(text) as { challengeToken: string };
      const answer = { "x-challenge-token": challengeToken, "x-answer": "right" };
      expect((await signUp(server.port, { email }, answer)).status).toBe(200);
      expect(last()).toMatchObject({ outcome: "allow", because: "challenge_passed" });
      // The challenge that was met and the one before it do not add up.
      expect(last().attack?.failures).toBe(MINIMUM + 2 + index);
    }
  });

  it("observes only, if it should", async () => {
    const { server, attack, last } = await open({}, "observe");
    await attack();
    expect((await signUp(server.port, { email: ANN })).status).toBe(200);
    expect(last()).toMatchObject({ outcome: "allow", attack: { enforced: false } });
  });

  it("is recorded, and a rehearsal switches it on and off", async () => {
    for (const mode of ["enforce", "observe"] as const) {
      const { server, attack, made } = await open({}, mode);
      await attack();
      await signUp(server.port, { email: ANN });
      const digest = createIdentityDigest({ secret: SECRET });
      const record = parseDecisionRecord(JSON.stringify(recordOf(made.at(-1)!, digest, 0)))!;
      expect(record.attack).toMatchObject({ failures: 4, enforced: mode === "enforce" });
      const outcome = (options: Parameters<typeof createRejudge>[0]) =>
        createRejudge(options)(record).outcome;
      expect(outcome({})).toBe(mode === "enforce" ? "challenge" : "allow");
      expect(outcome({ attackMode: true })).toBe("challenge");
      expect(outcome({ attackMode: false })).toBe("allow");
      const forged = { ...record, attack: { ...record.attack, sign: "other" } };
      expect(parseDecisionRecord(JSON.stringify(forged))).toBeUndefined();
    }
  });

  it("needs `device`, and what a challenge needs", async () => {
    const attackMode = createAttackMode();
    const device = createDevices({ secrets: SECRET });
    const lookup = peekingLookup({}, 0);
    const message = (options: object): string =>
      thrown(() => createRequestGate({ lookup, ...options })).message;
    expect(message({ attackMode, ...challenging })).toContain("`device`");
    expect(message({ attackMode, device })).toContain("`attackMode`");
    const observing = createAttackMode({ mode: "observe" });
    expect(() => createRequestGate({ lookup, device, attackMode: observing })).not.toThrow();
    expect(message({ attackMode: {}, device })).toContain("createAttackMode()");
  });
});
