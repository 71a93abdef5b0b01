import { describe, expect, it } from "vitest";
import { createDevices } from "../../src/device/devices.js";
import { createRejudge } from "../../src/gate/rejudge.js";
import { parseDecisionRecord } from "../../src/log/read-record.js";
import { recordOf } from "../../src/log/decision-record.js";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import type { MadeDecision } from "../../src/log/log-step.js";
import type { Outcome } from "../../src/model/decision.js";
import { createVelocity } from "../../src/velocity/velocity.js";
import { peekingLookup } from "../support/double-lookup.js";
import { gatedServer, type GatedServerOptions, signUp } from "../support/gated-server.js";

const SECRET = "device-secret-of-at-least-32-bytes";
const ANN = "ann@shop.example";

async function open(options: Partial<GatedServerOptions> = {}, maxFailures = 10) {
  const device = createDevices({ secrets: SECRET, maxFailures });
  const headers = new Headers();
  await device.remember(headers, ANN);
  const cookie = headers.getSetCookie().join().split(";", 1).join("");
  const server = await gatedServer({ lookup: peekingLookup({}, 0), device, ...options });
  return { server, device, cookie };
}

describe("a gate with `device`", () => {
  it("ignores what others did to the account of a known device, and nothing else", async () => {
    const velocity = createVelocity({ counts: "failed_logins" });
    for (let index = 0; index < 25; index++) {
      void velocity.count({ email: ANN, ip: `20.1.${index}.9` });
    }
    const lookup = peekingLookup({ "9.9.9.9": 45 }, 0);
    const options = { velocity, lookup, frameworkIp: "9.9.9.9", ...challenging };
    const { server, cookie } = await open(options);
    await signUp(server.port, { email: ANN }, { cookie });
    await signUp(server.port, { email: ANN });
    const [owner, stranger] = server.decisions;
    expect(owner).toMatchObject({ device: "known", outcome: "flag", score: 45 });
    expect(owner?.velocity).toBeUndefined();
    expect(stranger).toMatchObject({ device: "new", outcome: "challenge" });
  });

  it("counts the sign-ups of a known device like any other", async () => {
    const { server, cookie } = await open({ velocity: createVelocity(), frameworkIp: "9.9.9.9" });
    for (let index = 0; index < 4; index++) {
      await signUp(server.port, { email: `${ANN}${" ".repeat(index)}` }, { cookie });
      await signUp(server.port, { email: `Ann+${index}@shop.example` });
    }
    await signUp(server.port, { email: ANN }, { cookie });
    expect(server.decisions.at(-1)).toMatchObject({ device: "known", outcome: "flag" });
  });

  it("gives it to `decide`, to rules and to the log, and a rehearsal has it again", async () => {
    const made: MadeDecision[] = [];
    const seen: unknown[] = [];
    const decide = ({ device }: { device?: string }): Outcome => {
      seen.push(device);
      return "allow";
    };
    const rules = [
      { name: "revoked", when: { device: ["revoked"] as const }, outcome: "flag" as const },
    ];
    const log = { record: (one: MadeDecision) => void made.push(one) };
    const { server, cookie } = await open({ decide, rules, log }, 1);
    for (let index = 0; index < 2; index++) await signUp(server.port, { email: ANN }, { cookie });
    await signUp(server.port, { email: ANN });
    expect(seen).toEqual(["known", "new"]);
    expect(server.decisions.map((decision) => decision?.rule?.name)).toEqual([
      undefined,
      "revoked",
      undefined,
    ]);
    const digest = createIdentityDigest({ secret: SECRET });
    const records = made.map((one) =>
      parseDecisionRecord(JSON.stringify(recordOf(one, digest, 0)))!,
    );
    expect(records.map(({ device }) => device)).toEqual(["known", "revoked", "new"]);
    expect(parseDecisionRecord(JSON.stringify({ ...records[0], device: "old" }))).toBeUndefined();
    const rejudge = createRejudge({
      rules: [{ name: "strangers", when: { device: ["new"] }, outcome: "reject" }],
    });
    expect(records.map((record) => rejudge(record).outcome)).toEqual(["allow", "allow", "reject"]);
  });

  it("gives a try back that it refuses itself", async () => {
    const lookup = peekingLookup({ [ANN]: 90 }, 0);
    const { server, cookie } = await open({ lookup }, 1);
    for (let index = 0; index < 3; index++) await signUp(server.port, { email: ANN }, { cookie });
    expect(server.decisions.map((decision) => decision?.device)).toEqual([
      "known",
      "known",
      "known",
    ]);
  });

  it("knows no device of a body that names several accounts", async () => {
    const { server, cookie, device } = await open();
    const response = await device.tryOf({ headers: { cookie } }, undefined);
    expect(response.standing).toBe("new");
    await signUp(server.port, { email: `${ANN}, eve@shop.example` }, { cookie });
    expect(server.decisions[0]?.device).toBe("new");
  });

  it("refuses an option that is something else", async () => {
    await expect(open({ device: { secrets: SECRET } as never })).rejects.toThrow(
      /`device` must be/,
    );
  });
});

const challenging = {
  challengeAbove: 60,
  challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
  verifyChallenge: () => false,
};
