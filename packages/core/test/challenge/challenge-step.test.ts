import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import type { SingleUseStore } from "../../src/challenge/single-use.js";
import type { Decision, Outcome } from "../../src/model/decision.js";
import { createGate } from "../../src/gate/gate.js";
import { createRequestGate } from "../../src/gate/request-gate.js";
import type { RequestGateOptions } from "../../src/gate/request-gate-options.js";
import type { Challenge } from "../../src/challenge/challenge-step.js";
import { thrown } from "../support/caught.js";
import { challengedServer, EMAIL, IP } from "../support/challenged-server.js";
import { doubleLookup } from "../support/double-lookup.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { type Args, signUp } from "../support/gated-server.js";
import { SECRET } from "../support/token-attacks.js";

const never = async () => new Promise<never>(() => {});
const fail = (): never => {
  throw new Error("mine");
};

describe("set-up of a challenge", () => {
  const make = (options: object) => () =>
    createRequestGate<Args>({ lookup: doubleLookup(), ...options });
  const challenge = { secrets: SECRET };
  const verifyChallenge = () => true;

  it.each<[object, string]>([
    [
      { challengeAbove: 60 },
      "`challenge` must be set if `challengeAbove` challenges, given nothing",
    ],
    [
      { challengeAbove: 60, challenge },
      "`verifyChallenge` must be set if `challengeAbove` challenges, given nothing",
    ],
    [
      { whenUnavailable: "challenge", verifyChallenge },
      "`challenge` must be set if `whenUnavailable` challenges, given nothing",
    ],
    [
      { whenUnavailable: { timeout: "challenge" }, challenge },
      "`verifyChallenge` must be set if `whenUnavailable` challenges, given nothing",
    ],
    [
      { challengeAbove: 60, challenge, verifychallenge: verifyChallenge },
      "`verifyChallenge` must be set if `challengeAbove` challenges, given nothing; " +
        "did you misspell it as `verifychallenge`?",
    ],
    [{ onChallenge: 1 }, "`onChallenge` must be a function, given 1"],
  ])("CHL-10 refuses %j", (options, message) => {
    expect(thrown(make(options))).toMatchObject({ code: "CONFIG_INVALID", message });
  });

  it("needs no hooks where nobody is challenged", () => {
    for (const options of [
      { challenge, verifyChallenge },
      { challengeAbove: 60, mode: "observe" },
      { challengeAbove: 80 },
      { onChallenge() {} },
    ]) {
      expect(make(options)).not.toThrow();
    }
  });

  it("leaves to a gate without requests what a challenge is", async () => {
    const lookup = doubleLookup({ [IP]: 60 });
    const gate = createGate({ lookup, challengeAbove: 50 });
    expect(await gate.decide({ ip: IP })).toMatchObject({ outcome: "challenge", score: 60 });
  });
});

describe("a challenge", () => {
  it("CHL-01 is answered with a token, and passes once with it", async () => {
    const server = await challengedServer();
    const asked = await server.send();
    expect(asked.status).toBe(403);
    expect(JSON.parse(asked.text)).toEqual({
      type: "about:blank",
      title: "The request needs another check",
      status: 403,
      code: "CHALLENGE_REQUIRED",
      decisionId: server.decisions[0]!.id,
      challengeToken: expect.stringMatching(/^rgc1\./) as string,
    });
    expect((await server.send(asked.token)).status).toBe(200);
    expect((await server.send(asked.token)).status).toBe(403);
    expect(server.passed).toBe(1);
    expect(server.decisions).toMatchObject([
      { outcome: "challenge", because: "score", score: 60, enforced: true },
      { outcome: "allow", because: "challenge_passed", score: 60, enforced: true },
      { outcome: "challenge", because: "score", score: 60 },
    ]);
  });

  it("CHL-02 takes the token from the body of a form as well", async () => {
    const server = await challengedServer();
    const { token } = await server.send();
    const headers = { "x-forwarded-for": IP };
    const body = { email: EMAIL, challengeToken: token };
    expect((await signUp(server.port, body, headers)).status).toBe(200);
    for (const odd of [[token], { token }, 7, null, ""]) {
      const answer = await signUp(server.port, { email: EMAIL, challengeToken: odd }, headers);
      expect(answer.status).toBe(403);
    }
  });

  it("CHL-03 passes one of many that come at once", async () => {
    let asked = 0;
    const server = await challengedServer({ verifyChallenge: async () => ++asked > 0 });
    const { token } = await server.send();
    const answers = await Promise.all(Array.from({ length: 30 }, async () => server.send(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([server.passed, asked]).toEqual([1, 1]);
  });

  it("CHL-04 belongs to one mailbox, network, method and path", async () => {
    let asked = 0;
    const server = await challengedServer({ verifyChallenge: () => ++asked > 0 });
    const fresh = async () => (await server.send()).token;
    expect((await server.send(await fresh(), { email: "other@x.y" })).status).toBe(403);
    expect((await server.send(await fresh(), { ip: "9.9.9.9" })).status).toBe(403);
    const to = async (method: string, path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method,
        headers: {
          "content-type": "application/json",
          connection: "close",
          "x-forwarded-for": IP,
          "x-challenge-token": await fresh(),
        },
        body: JSON.stringify({ email: EMAIL }),
      });
      return answer.status;
    };
    expect(await to("PUT", "/signup")).toBe(403);
    expect(await to("POST", "/signup/")).toBe(403);
    expect(await to("POST", "/login")).toBe(403);
    expect(asked).toBe(0);
    expect(await to("POST", "/signup?next=home")).toBe(200);
    expect((await server.send(await fresh(), { email: "ODD@X.Y" })).status).toBe(200);
  });

  it("CHL-04 belongs to the /64 of an IPv6 address", async () => {
    const server = await challengedServer();
    const fresh = async () => (await server.send(undefined, { ip: "2001:db8::1" })).token;
    expect((await server.send(await fresh(), { ip: "2001:db8:0:1::1" })).status).toBe(403);
    expect((await server.send(await fresh(), { ip: "2001:db8::2" })).status).toBe(200);
  });

  it("CHL-05 is not passed by a token that has expired or was never issued", async () => {
    const server = await challengedServer({ challenge: { secrets: SECRET, ttlMs: 1 } });
    const { token } = await server.send();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const one of [token, "", "rgc1", "x".repeat(10_000), token.replace("rgc1", "rgc2")]) {
      expect((await server.send(one)).status).toBe(403);
    }
    expect(server.passed).toBe(0);
  });

  it.each<[string, () => unknown, string[]]>([
    ["throws", fail, ["HOOK_FAILED"]],
    ["rejects", async () => fail(), ["HOOK_FAILED"]],
    ["never settles", never, ["HOOK_FAILED"]],
    ["is false", () => false, []],
    ["is false later", async () => false, []],
    ["is 1", () => 1, ["HOOK_FAILED"]],
    ['is "true"', () => "true", ["HOOK_FAILED"]],
    ["is an object", async () => ({ success: true }), ["HOOK_FAILED"]],
    ["is nothing", () => undefined, ["HOOK_FAILED"]],
    ["is what selectors that fail give", () => ({ state: "failed" }), ["HOOK_FAILED"]],
    [
      "is a thenable that fails",
      () => ({
        // oxlint-disable-next-line unicorn/no-thenable -- What a hook may give.
        then: (_: unknown, reject: (error: Error) => void) => reject(new Error("mine")),
      }),
      ["HOOK_FAILED"],
    ],
  ])("CHL-06 is not passed where verifyChallenge %s", async (_, hook, codes) => {
    const unhandled = unhandledRejections();
    const errors: RiskGateError[] = [];
    let earlier: string | undefined;
    const server = await challengedServer({
      verifyChallenge: hook as () => boolean,
      challenge: { secrets: SECRET, timeoutMs: 100 },
      onError: (error) => errors.push(error),
      onChallenge: (__, challenge, ___, response) => {
        earlier = challenge.earlier;
        response.writeHead(401).end(JSON.stringify({ challengeToken: challenge.token }));
      },
    });
    const { token } = await server.send();
    expect(earlier).toBe("none");
    expect((await server.send(token)).status).toBe(401);
    expect(earlier).toBe("failed");
    expect((await server.send(token)).status).toBe(401);
    expect(earlier).toBe("invalid");
    expect(errors.map(({ code }) => code)).toEqual(codes);
    expect([server.passed, await unhandled()]).toEqual([0, 0]);
  });

  it("CHL-06 can be tried again with the new token", async () => {
    const answers = [false, true];
    const server = await challengedServer({ verifyChallenge: () => answers.shift() ?? false });
    const first = await server.send();
    const second = await server.send(first.token);
    expect(second.status).toBe(403);
    expect((await server.send(second.token)).status).toBe(200);
  });

  it("CHL-06 says which option a slow hook needs", async () => {
    const errors: RiskGateError[] = [];
    const server = await challengedServer({
      verifyChallenge: never,
      challenge: { secrets: SECRET, timeoutMs: 50 },
      onError: (error) => errors.push(error),
    });
    await server.send((await server.send()).token);
    expect(errors).toMatchObject([
      { cause: { message: "`verifyChallenge` did not settle within `challenge.timeoutMs`" } },
    ]);
  });

  it("CHL-06 leaves alone what verifyChallenge answers by itself", async () => {
    const server = await challengedServer({
      verifyChallenge: (_, response) => {
        response.writeHead(418).end("mine");
        return true;
      },
    });
    const { token } = await server.send();
    expect(await server.send(token)).toMatchObject({ status: 418, text: "mine" });
    expect(server.passed).toBe(0);
  });

  it.each<[string, NonNullable<RequestGateOptions<Args>["onChallenge"]>]>([
    ["throws", fail],
    ["rejects", async () => fail()],
    ["never settles", never],
    ["answers nothing", () => undefined],
  ])("CHL-07 is answered by default where onChallenge %s", async (_, onChallenge) => {
    const server = await challengedServer({ onChallenge, budgetMs: 100 });
    const asked = await server.send();
    expect([asked.status, JSON.parse(asked.text)]).toMatchObject([
      403,
      { code: "CHALLENGE_REQUIRED" },
    ]);
    expect((await server.send(asked.token)).status).toBe(200);
  });

  it("CHL-07 is written by onChallenge, which gets the decision, the token and the request", async () => {
    const asked: [Decision, Challenge, string | undefined][] = [];
    const server = await challengedServer({
      onChallenge(decision, challenge, request, response) {
        asked.push([decision, challenge, request.url]);
        response.writeHead(401).end("solve this");
      },
    });
    const before = Date.now();
    expect(await server.send()).toMatchObject({ status: 401, text: "solve this" });
    const [decision, challenge, url] = asked.at(0)!;
    expect(decision).toMatchObject({ outcome: "challenge", score: 60 });
    expect([challenge.earlier, url]).toEqual(["none", "/signup"]);
    expect(challenge.expiresAt.getTime()).toBeGreaterThanOrEqual(before + 300_000);
    expect((await server.send(challenge.token)).status).toBe(200);
  });

  it("CHL-08 never turns a refusal into a pass, and leaves the token unused", async () => {
    const scores = { [EMAIL]: 0 };
    const server = await challengedServer({ lookup: doubleLookup(scores), challengeAbove: 50 });
    scores[EMAIL] = 60;
    const { token } = await server.send();
    scores[EMAIL] = 95;
    expect(JSON.parse((await server.send(token)).text)).toMatchObject({ code: "RISK_REJECTED" });
    scores[EMAIL] = 60;
    expect((await server.send(token)).status).toBe(200);
  });

  it("CHL-08 does not pass what a list refuses", async () => {
    const deny: string[] = [];
    const open = await challengedServer({ deny });
    const { token } = await open.send();
    const closed = await challengedServer({ deny: [EMAIL] });
    expect(JSON.parse((await closed.send(token)).text)).toMatchObject({ code: "RISK_REJECTED" });
  });

  it("CHL-08 is only reported in observe mode", async () => {
    const server = await challengedServer({
      mode: "observe",
      onChallenge: () => expect.unreachable(),
      verifyChallenge: () => expect.unreachable(),
    });
    expect((await server.send("a token")).status).toBe(200);
    expect(server.decisions).toMatchObject([{ outcome: "challenge", enforced: false }]);
  });

  it.each<[string, object]>([
    ["throws", { use: fail }],
    ["rejects", { use: async () => fail() }],
    ["never answers", { use: never }],
    ["answers nonsense", { use: () => true }],
    ["answers nothing", { use: async () => {} }],
  ])("CHL-09 is not passed where the store %s", async (_, broken) => {
    const unhandled = unhandledRejections();
    const errors: RiskGateError[] = [];
    const seen = { evicts: false, use: () => "new", solve() {}, ...broken } as SingleUseStore;
    const server = await challengedServer({
      challenge: { secrets: SECRET, seen, timeoutMs: 100 },
      verifyChallenge: () => expect.unreachable(),
      onError: (error) => errors.push(error),
    });
    const { token } = await server.send();
    expect((await server.send(token)).status).toBe(403);
    expect(errors).toMatchObject([{ code: "STORE_FAILED" }]);
    expect([server.passed, await unhandled()]).toEqual([0, 0]);
  });

  it.each<[string, () => Promise<void>]>([
    ["throws", fail],
    ["rejects", async () => fail()],
    ["never settles", never],
  ])("CHL-09 is passed where only `solve` of the store %s", async (_, solve) => {
    const errors: RiskGateError[] = [];
    const seen: SingleUseStore = { evicts: false, use: () => "new", solve };
    const server = await challengedServer({
      challenge: { secrets: SECRET, seen, timeoutMs: 200 },
      onError: (error) => errors.push(error),
    });
    expect((await server.send((await server.send()).token)).status).toBe(200);
    expect(errors).toMatchObject([{ code: "STORE_FAILED" }]);
  });

  it("CHL-11 limits the unsolved tokens of one network, and nobody else's", async () => {
    let isRight = false;
    const server = await challengedServer({ verifyChallenge: () => isRight }, { "9.9.9.9": 60 });
    const tokens: string[] = [];
    for (let n = 0; n <= 200; n++) tokens.push((await server.send()).token);
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await server.send(token)).status);
    expect(statuses).toEqual([...Array.from({ length: 200 }, () => 403), 429]);
    isRight = true;
    expect(JSON.parse((await server.send(tokens.at(-1))).text)).toEqual({
      type: "about:blank",
      title: "Too many challenges failed",
      status: 429,
      code: "CHALLENGE_LIMITED",
      decisionId: server.decisions.at(-1)!.id,
    });
    const from = { ip: "9.9.9.9" };
    expect((await server.send((await server.send(undefined, from)).token, from)).status).toBe(200);
    expect(server.passed).toBe(1);
  });

  it("CHL-11 does not limit a network that solves its challenges", async () => {
    const server = await challengedServer();
    for (let n = 0; n < 300; n++) {
      expect((await server.send((await server.send()).token)).status).toBe(200);
    }
  });

  it("CHL-10 is an outcome of whenUnavailable and of decide", async () => {
    const down = challengedServer({
      lookup: doubleLookup({ [IP]: new Error("down") }),
      whenUnavailable: "challenge",
    });
    const own = challengedServer({ decide: (): Outcome => "challenge" });
    for (const server of [await down, await own]) {
      const { status, token } = await server.send();
      expect(status).toBe(403);
      expect((await server.send(token)).status).toBe(200);
    }
  });

  it("CHL-10 is a refusal where decide asks for it and nobody can answer", async () => {
    const errors: RiskGateError[] = [];
    const onError = (error: RiskGateError): void => void errors.push(error);
    const left = { challenge: undefined, challengeAbove: undefined } as object;
    const server = await challengedServer({ ...left, decide: () => "challenge", onError });
    const { text } = await server.send();
    expect(JSON.parse(text)).toMatchObject({ code: "RISK_REJECTED" });
    expect(server.decisions).toMatchObject([{ outcome: "reject", score: 60 }]);
    expect(errors).toMatchObject([{ code: "HOOK_FAILED" }]);
  });

  it("CHL-11 is passed with one token where two gates are mounted", async () => {
    let asked = 0;
    const verifyChallenge = () => ++asked > 0;
    const server = await challengedServer({ verifyChallenge }, {}, 2);
    const { token } = await server.send();
    expect((await server.send(token)).status).toBe(200);
    expect((await server.send(token)).status).toBe(403);
    expect([server.passed, asked]).toEqual([1, 1]);
  });

  it("publishes one decision for each request", async () => {
    const heard: unknown[] = [];
    const listen = (message: unknown): void => void heard.push(message);
    subscribe("riskgate:decision", listen);
    onTestFinished(() => void unsubscribe("riskgate:decision", listen));
    const server = await challengedServer();
    await server.send((await server.send()).token);
    expect(heard).toMatchObject([
      { outcome: "challenge", enforced: true, because: "score", score: 60 },
      { outcome: "allow", enforced: true, because: "challenge_passed", score: 60 },
    ]);
  });
});
