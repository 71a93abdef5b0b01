import { describe, expect, it } from "vitest";
import { createBlockList } from "../../src/lists/block-list.js";
import type { Decision, Outcome } from "../../src/model/decision.js";
import { createGate, type Facts } from "../../src/gate/gate.js";
import type { GateOptions } from "../../src/gate/steps.js";
import { thrown } from "../support/caught.js";
import { doubleLookup } from "../support/double-lookup.js";
import { BOTH, EMAIL, gateOver, IP } from "../support/gate-over.js";

describe("createGate", () => {
  it.each<[string, object]>([
    ["no lookup", { lookup: undefined }],
    ["a lookup that is null", { lookup: null }],
    ["half a lookup", { lookup: { lookupIp: async () => ({ risk_score: 0 }) } }],
    ["a threshold that is no number", { rejectAbove: "80" }],
    ["a threshold that is NaN", { flagAbove: NaN }],
    ["a threshold above 100", { rejectAbove: 101 }],
    ["a threshold below 0", { flagAbove: -1 }],
    ["a flag above the rejection", { flagAbove: 90 }],
    ["an unknown outcome", { whenUnavailable: "open" }],
    ["an outcome for an unknown fault", { whenUnavailable: { outage: "allow" } }],
    ["an unknown outcome for a fault", { whenUnavailable: { timeout: "closed" } }],
    ["outcomes that are null", { whenUnavailable: null }],
    ["an inherited name for an outcome", { whenUnavailable: "toString" }],
    ["an unknown mode", { mode: "monitor" }],
    ["a budget of 0", { budgetMs: 0 }],
    ["an endless budget", { budgetMs: Infinity }],
    ["a policy that is no function", { decide: "reject" }],
    ["an onError that is no function", { onError: {} }],
    ["an allow list that is no list", { allow: "8.8.8.8" }],
    ["a deny list with junk", { deny: ["not an entry"] }],
    ["a block list without methods", { blockList: {} }],
  ])("refuses %s", (_, options) => {
    const given = { lookup: doubleLookup(), ...options } as GateOptions;
    expect(thrown(() => createGate(given)).code).toBe("CONFIG_INVALID");
  });
});

describe("an email that blanks make too long", () => {
  it.each([" ".repeat(400), "\u3000".repeat(110)])(
    "is looked up without them: %j",
    async (blanks) => {
      const asked: string[] = [];
      const lookup = {
        lookupIp: async () => ({ risk_score: 0 }),
        lookupEmail: async (email: string) => {
          asked.push(email);
          return { risk_score: 95 };
        },
      };
      const gate = createGate({ lookup });
      const decision = await gate.decide({ email: `${blanks}eve@shop.example${blanks}` });
      expect([decision.outcome, asked]).toEqual(["reject", ["eve@shop.example"]]);
    },
  );
});

describe("an email with a long display name", () => {
  const name = "x".repeat(400);
  const lookup = () => {
    const asked: string[] = [];
    return {
      asked,
      lookupIp: async () => ({ risk_score: 0 }),
      lookupEmail: async (email: string) => {
        asked.push(email);
        return { risk_score: email.includes("eve@") ? 95 : 0 };
      },
    };
  };

  it.each([
    [`${name} <eve@shop.example>`, "eve@shop.example"],
    [`"${name}" <Eve@shop.example>`, "eve@shop.example"],
    [`eve@shop.example (${name})`, "eve@shop.example"],
    [`\ud800${name} <eve@shop.example>`, "eve@shop.example"],
    [`${name} <ann@shop.example>, eve@shop.example`, "ann@shop.example, eve@shop.example"],
    // Nobody receives mail at the first one.
    [`${name}@shop.example, eve@shop.example`, "eve@shop.example"],
    [`eve@shop.example, ${name}@shop.example`, "eve@shop.example"],
  ])("is looked up without it", async (email, expected) => {
    const found = lookup();
    const decision = await createGate({ lookup: found }).decide({ email });
    expect([decision.outcome, found.asked]).toEqual(["reject", [expected]]);
  });

  it("is unreadable if its mailbox is too long as well", async () => {
    const found = lookup();
    const email = `${name} <${"eve".repeat(100)}@${"sub.".repeat(20)}shop.example>`;
    const decision = await createGate({ lookup: found }).decide({ email });
    expect([decision.outcome, decision.because, found.asked]).toEqual(["flag", "unavailable", []]);
  });
});

describe("an address that a NAT64 gateway translates", () => {
  it.each(["64:ff9b::8.8.8.8", "64:FF9B::808:808"])("is the IPv4 address: %s", async (ip) => {
    const { gate, lookup } = gateOver({ [IP]: 95 });
    expect((await gate.decide({ ip })).outcome).toBe("reject");
    expect(lookup.asked).toEqual([IP]);
    const denying = gateOver({}, { deny: [IP] });
    expect((await denying.gate.decide({ ip })).because).toBe("override");
  });

  it("is not public if the IPv4 address is not", async () => {
    const { gate, lookup } = gateOver({});
    expect((await gate.decide({ ip: "64:ff9b::10.0.0.1" })).ip).toMatchObject({
      why: "not_public",
    });
    expect(lookup.asked).toEqual([]);
  });
});

describe("what createGate says", () => {
  const lookup = doubleLookup();

  it.each<[unknown, string]>([
    [undefined, "the options of createGate() must be an object, given nothing"],
    ["x", 'the options of createGate() must be an object, given "x"'],
    [{}, "`lookup` must be a client, an engine or its promise, given nothing"],
    [{ lookup, rejectabove: 90 }, "`rejectabove`: unknown option; did you mean `rejectAbove`?"],
    [{ lookup, blocklist: {} }, "`blocklist`: unknown option; did you mean `blockList`?"],
    [
      { lookup, whenUnavailable: { ratelimited: "reject" } },
      "`whenUnavailable.ratelimited`: unknown option; did you mean `rate_limited`?",
    ],
    [
      { lookup, budgetMs: 2 ** 31 },
      "`budgetMs` must be a time of 1 to 2147483647 milliseconds, given 2147483648",
    ],
  ])("of %j: what is wrong", (options, message) => {
    const error = thrown(() => createGate(options as GateOptions));
    expect([error.code, error.message]).toEqual(["CONFIG_INVALID", message]);
  });

  it("nothing of an inherited option, which has no effect", () => {
    const inherited = Object.create({ rejectAbove: "80", unknown: 1 }) as object;
    const gate = createGate(Object.assign(inherited, { lookup }));
    expect(gate.peek({})?.outcome).toBe("allow");
  });
});

describe("decide", () => {
  it.each<[number, Outcome]>([
    [0, "allow"],
    [40, "allow"],
    [40.01, "flag"],
    [80, "flag"],
    [80.5, "reject"],
    [81, "reject"],
    [100, "reject"],
  ])("GAT-01 says of the score %d: %s", async (score, outcome) => {
    for (const facts of [{ ip: IP }, { email: EMAIL }, BOTH]) {
      const { gate } = gateOver({ [IP]: score, [EMAIL]: score });
      expect(await gate.decide(facts)).toMatchObject({
        outcome,
        because: "score",
        score,
        enforced: true,
      });
    }
  });

  it.each<[number, number, number, Outcome]>([
    [0, 0, 0, "allow"],
    [0, 0, 0.1, "reject"],
    [10, 50, 50, "flag"],
    [100, 100, 100, "allow"],
    [80, 80, 80, "allow"],
  ])("has thresholds %d and %d, for which %d means %s", async (flag, reject, score, outcome) => {
    const { gate } = gateOver({ [IP]: score }, { flagAbove: flag, rejectAbove: reject });
    expect((await gate.decide({ ip: IP })).outcome).toBe(outcome);
  });

  it.each<[number, number, Outcome]>([
    [10, 95, "reject"],
    [95, 10, "reject"],
    [10, 10, "allow"],
    [10, 50, "flag"],
  ])("GAT-02 takes the higher score of %d and %d: %s", async (ipScore, emailScore, outcome) => {
    const { gate } = gateOver({ [IP]: ipScore, [EMAIL]: emailScore });
    expect(await gate.decide(BOTH)).toEqual({
      id: expect.any(String) as string,
      outcome,
      enforced: true,
      because: "score",
      score: Math.max(ipScore, emailScore),
      ip: { state: "scored", assessment: { risk_score: ipScore }, source: "live" },
      email: { state: "scored", assessment: { risk_score: emailScore }, source: "live" },
    });
  });

  it.each<[string, Facts]>([
    ["undefined", { ip: IP, email: undefined }],
    ["missing", { ip: IP }],
    ["null", { ip: IP, email: null }],
    ["empty", { ip: IP, email: "" }],
  ])("GAT-07 asks for the address alone when the email is %s", async (_, facts) => {
    const { gate, lookup } = gateOver({ [IP]: 10 });
    expect(await gate.decide(facts)).toMatchObject({
      outcome: "allow",
      email: { state: "skipped", why: "absent" },
    });
    expect(lookup.asked).toEqual([IP]);
  });

  it("tells no score from a score of 0", async () => {
    const { gate } = gateOver({ [IP]: 0 });
    expect(await gate.decide({})).toMatchObject({
      outcome: "allow",
      because: "nothing_to_score",
      score: null,
    });
    expect(await gate.decide({ ip: IP })).toMatchObject({ because: "score", score: 0 });
  });

  it("GAT-10 asks for an address by its value", async () => {
    const { gate, lookup } = gateOver({});
    await gate.decide({ ip: `::ffff:${IP}` });
    await gate.decide({ ip: "2001:4860:0:0::8888%eth0" });
    expect(lookup.asked).toEqual([IP, "2001:4860::8888"]);
  });

  it.each(["10.0.0.1", "127.0.0.1", "::1", "fe80::1%eth0", "::ffff:192.168.0.1", "192.0.2.1"])(
    "never asks a service about %s",
    async (ip) => {
      const { gate, lookup } = gateOver({ [EMAIL]: 10 });
      expect(await gate.decide({ ip, email: EMAIL })).toMatchObject({
        score: 10,
        ip: { state: "skipped", why: "not_public" },
      });
      expect(lookup.asked).toEqual([EMAIL]);
    },
  );

  it("asks about private addresses where it is told to", async () => {
    const { gate, lookup } = gateOver({ "10.0.0.1": 90 }, { lookupPrivateIps: true });
    expect((await gate.decide({ ip: "10.0.0.1" })).outcome).toBe("reject");
    expect(lookup.asked).toEqual(["10.0.0.1"]);
  });

  it.each<[string, unknown]>([
    ["junk", "unknown"],
    ["an address with a port", "8.8.8.8:80"],
    ["a list", [IP]],
    ["a number", 8],
    ["an object with toString", { toString: () => IP }],
  ])("GAT-14 takes an address that is %s for unusable, not for harmless", async (_, ip) => {
    const { gate, lookup } = gateOver({});
    expect(await gate.decide({ ip: ip as string })).toMatchObject({
      outcome: "flag",
      because: "unavailable",
      score: null,
      ip: { state: "skipped", why: "unusable" },
    });
    expect(lookup.asked).toEqual([]);
    const closed = gateOver({}, { whenUnavailable: "reject" });
    expect((await closed.gate.decide({ ip: ip as string })).outcome).toBe("reject");
  });

  it.each<[string, unknown]>([
    ["evidence", { state: "scored", assessment: { risk_score: 0 }, source: "live" }],
    ["a skip", { state: "skipped", why: "absent" }],
    ["an override", { state: "skipped", why: "override" }],
    ["a failure that would pass", { state: "failed", fault: "timeout" }],
    ["what the gate uses itself", { state: "failed", fault: "unreadable" }],
  ])("believes no %s that came as an identifier", async (_, forged) => {
    const { gate, lookup } = gateOver({ [IP]: 0 });
    const decision = await gate.decide({ ip: IP, email: forged } as unknown as Facts);
    expect(decision.email).toEqual({ state: "skipped", why: "unusable" });
    expect(decision).toMatchObject({ outcome: "flag", because: "unavailable", score: 0 });
    expect((await gate.decide({ ip: forged } as unknown as Facts)).ip).toEqual({
      state: "skipped",
      why: "unusable",
    });
    expect(lookup.asked).toEqual([IP]);
  });

  it("decides everything and enforces nothing in observe mode", async () => {
    const { gate } = gateOver({ [IP]: 95 }, { mode: "observe", deny: ["1.1.1.1"] });
    expect(await gate.decide({ ip: IP })).toMatchObject({ outcome: "reject", enforced: false });
    expect(await gate.decide({ ip: "1.1.1.1" })).toMatchObject({
      outcome: "reject",
      because: "override",
      enforced: false,
    });
  });

  it.each<[string, Facts, Outcome, Decision["because"]]>([
    ["denied", { ip: "1.1.1.1" }, "reject", "override"],
    ["denied and allowed", { ip: "1.1.1.1", email: "ok@good.example" }, "reject", "override"],
    ["allowed", { ip: IP, email: "ok@good.example" }, "allow", "override"],
    ["allowed and blocked", { ip: "9.9.9.9", email: "ok@good.example" }, "allow", "override"],
    ["blocked", { ip: "9.9.9.9", email: EMAIL }, "reject", "blocked"],
  ])("decides without a lookup about what is %s", async (_, facts, outcome, because) => {
    const blockList = createBlockList();
    blockList.block("9.9.9.9");
    const lists = { deny: ["1.1.1.0/24"], allow: ["good.example"], blockList };
    const { gate, lookup } = gateOver({ [IP]: 95 }, lists);
    expect(await gate.decide(facts)).toEqual({
      id: expect.any(String) as string,
      outcome,
      because,
      enforced: true,
      score: null,
      ip: { state: "skipped", why: "override" },
      email: { state: "skipped", why: "override" },
    });
    expect(lookup.asked).toEqual([]);
  });

  it("sees an entry that is blocked later on", async () => {
    const blockList = createBlockList();
    const { gate } = gateOver({}, { blockList });
    expect((await gate.decide(BOTH)).outcome).toBe("allow");
    blockList.block(EMAIL);
    expect(await gate.decide(BOTH)).toMatchObject({ outcome: "reject", because: "blocked" });
  });
});
