import { describe, expect, it } from "vitest";
import type { MadeDecision } from "../../src/log/log-step.js";
import { createGate } from "../../src/gate/gate.js";
import { caught, thrown } from "../support/caught.js";
import { doubleLookup, peekingLookup } from "../support/double-lookup.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { BOTH, EMAIL, gateOver, IP } from "../support/gate-over.js";
import { gatedServer, signUp } from "../support/gated-server.js";

function collector() {
  const made: MadeDecision[] = [];
  return { made, log: { record: (one: MadeDecision) => void made.push(one) } };
}

describe("the log of a gate", () => {
  it("gets each decision once, with its identifiers, route and thresholds", async () => {
    const { made, log } = collector();
    const { gate } = gateOver({ [IP]: 90 }, { log, rejectAbove: 85 });
    const decision = await gate.decide(BOTH, { route: "POST /signup" });
    expect(made).toMatchObject([
      { ip: IP, email: EMAIL, route: "POST /signup", terms: { flagAbove: 40, rejectAbove: 85 } },
    ]);
    expect(made.at(0)?.decision).toBe(decision);
  });

  it("gets what was decided from memory, and not what only began there", async () => {
    const { made, log } = collector();
    const gate = createGate({ lookup: peekingLookup({ [IP]: 1 }), log });
    expect(gate.peek({ ip: IP }, { route: "GET /" })).toBeDefined();
    expect(gate.peek(BOTH)).toBeUndefined();
    expect(made.map(({ route }) => route)).toEqual(["GET /"]);
  });

  it("gets what a list decided", async () => {
    const { made, log } = collector();
    await gateOver({}, { log, deny: [IP] }).gate.decide(BOTH);
    expect(made).toMatchObject([{ decision: { because: "override" }, ip: IP, email: EMAIL }]);
  });

  it("gets nothing of a decision that was ended", async () => {
    const { made, log } = collector();
    const { gate } = gateOver({}, { log });
    const ended = gate.decide(BOTH, { signal: AbortSignal.abort() });
    expect((await caught(ended)).code).toBe("ABORTED");
    expect(made).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("full"))],
  ])("changes no decision when it %s", async (_, record) => {
    const rejections = unhandledRejections();
    const { gate, errors } = gateOver({ [IP]: 90 }, { log: { record } });
    expect((await gate.decide(BOTH)).outcome).toBe("reject");
    expect(await rejections()).toBe(0);
    expect(errors).toEqual(["HOOK_FAILED"]);
  });

  it.each([{}, "file.jsonl", () => {}, { record: true }])("refuses %j", (log) => {
    const given = { lookup: doubleLookup(), log: log as never };
    expect(thrown(() => createGate(given)).code).toBe("CONFIG_INVALID");
  });

  it("refuses a route that is no text", async () => {
    const { gate } = gateOver({});
    const error = await caught(gate.decide(BOTH, { route: /x/ as never }));
    expect(error.code).toBe("INVALID_ARGUMENT");
  });
});

describe("the log of a gate in front of a route", () => {
  it("gets the decision that the request got, and its route", async () => {
    const { made, log } = collector();
    const lookup = doubleLookup({ [EMAIL]: 90 });
    const { port } = await gatedServer({ lookup, log, frameworkIp: IP });
    expect((await signUp(port, { email: EMAIL })).status).toBe(403);
    expect(made).toMatchObject([
      { ip: IP, email: EMAIL, route: "POST /signup", decision: { outcome: "reject" } },
    ]);
  });

  it("survives a route that cannot be told", async () => {
    const { made, log } = collector();
    const options = { lookup: doubleLookup(), log, onError() {} };
    const broken = Object.defineProperty({ ...options }, "route", { value: 5, enumerable: true });
    const { port } = await gatedServer(broken);
    expect((await signUp(port, { email: EMAIL })).status).toBe(200);
    expect(made).toEqual([]);
  });
});
