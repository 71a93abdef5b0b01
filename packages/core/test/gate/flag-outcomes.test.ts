import { describe, expect, it } from "vitest";
import type { MadeDecision } from "../../src/log/log-step.js";
import { recordOf } from "../../src/log/decision-record.js";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import { isDecisionRecord, parseDecisionRecord } from "../../src/log/read-record.js";
import type { Decision } from "../../src/model/decision.js";
import { createGate } from "../../src/gate/gate.js";
import { createRejudge } from "../../src/gate/rejudge.js";
import type { GateOptions } from "../../src/gate/steps.js";
import { doubleLookup } from "../support/double-lookup.js";
import { failing } from "../support/gate-over.js";
import { SECRET } from "../support/made-decision.js";

const IP = "8.8.8.8";
const EMAIL = "ann@shop.example";
const digest = createIdentityDigest({ secret: SECRET });
const OUTCOMES = { reject: ["disposable", "tor"], challenge: ["vpn"], flag: ["proxy"] } as const;

interface Flags {
  readonly ip?: object | Error;
  readonly email?: object | Error;
}

/** A decision about these assessments, and its record after a trip through a log. */
async function decided(flags: Flags, options: Partial<GateOptions> = { outcomes: OUTCOMES }) {
  const answer = (one: object | Error = {}) =>
    one instanceof Error ? one : () => ({ risk_score: 5, ...one });
  const made: MadeDecision[] = [];
  const gate = createGate({
    lookup: doubleLookup({ [IP]: answer(flags.ip), [EMAIL]: answer(flags.email) }),
    log: { record: (one) => void made.push(one) },
    onError() {},
    ...options,
  });
  const decision = await gate.decide({ ip: IP, email: EMAIL });
  const record = parseDecisionRecord(JSON.stringify(recordOf(made.at(0)!, digest, 0)))!;
  return { decision, record };
}

type Expected = readonly [Decision["outcome"], Decision["because"], Decision["flag"]?];

interface Shown {
  readonly outcome: string;
  readonly because: string;
  readonly flag?: string | undefined;
}

const shown = ({ outcome, because, flag }: Shown) => [outcome, because, flag];

describe("outcomes by flag", () => {
  it.each<[string, Flags, Expected]>([
    ["no flag", {}, ["allow", "score"]],
    ["a flag to reject", { email: { is_disposable: true } }, ["reject", "flag", "disposable"]],
    ["a flag to challenge", { ip: { is_vpn: true } }, ["challenge", "flag", "vpn"]],
    ["a flag to flag", { ip: { is_proxy: true } }, ["flag", "flag", "proxy"]],
    ["a flag without an outcome", { ip: { is_datacenter: true } }, ["allow", "score"]],
    [
      "two flags, by the harder one",
      { ip: { is_vpn: true, is_proxy: true, is_tor: true } },
      ["reject", "flag", "tor"],
    ],
    [
      "a flag and a score with the same outcome",
      { ip: { risk_score: 90, is_tor: true } },
      ["reject", "score"],
    ],
    [
      "a flag that is softer than the score",
      { ip: { risk_score: 90, is_proxy: true } },
      ["reject", "score"],
    ],
    [
      "a flag beside a failed lookup",
      { ip: { is_tor: true }, email: failing("UNAUTHORIZED") },
      ["reject", "flag", "tor"],
    ],
    [
      "a flag that is softer than the failed lookup",
      { ip: { is_datacenter: true }, email: failing("UNAUTHORIZED") },
      ["flag", "unavailable"],
    ],
    ["a flag that is not true", { ip: { is_tor: "yes", is_vpn: false } }, ["allow", "score"]],
  ])("decide %s", async (_, flags, expected) => {
    const { decision, record } = await decided(flags);
    const result = [...expected, ...(expected.length === 2 ? [undefined] : [])];
    expect(shown(decision)).toEqual(result);
    expect(shown(record)).toEqual(result);
    expect(shown(createRejudge()(record))).toEqual(result);
  });

  it("never refuse because of a history that others can fill", async () => {
    const outcomes = { reject: ["known_attacker"] } as const;
    const attacker = { is_known_attacker: true };
    expect(shown((await decided({ ip: attacker }, { outcomes })).decision)).toEqual([
      "reject",
      "flag",
      "known_attacker",
    ]);
    expect((await decided({ email: attacker }, { outcomes })).decision.outcome).toBe("allow");
    const challenged = { outcomes: { challenge: ["known_attacker"] } } as const;
    expect((await decided({ email: attacker }, challenged)).decision.outcome).toBe("challenge");
  });

  it("yield to operator rules and to `decide`", async () => {
    const flags = { ip: { is_tor: true } };
    const rules = [{ name: "staff", when: { flags: { all: ["tor"] } }, outcome: "allow" }] as const;
    const ruled = await decided(flags, { outcomes: OUTCOMES, rules });
    expect(ruled.decision).toMatchObject({ outcome: "allow", rule: { name: "staff" } });
    const own = await decided(flags, { outcomes: OUTCOMES, decide: () => "allow" });
    expect(own.decision.outcome).toBe("allow");
  });

  it("are in the record, so that a rehearsal can try others", async () => {
    const { record } = await decided({ ip: { is_vpn: true } });
    expect(record.policy).toEqual({ flagAbove: 40, rejectAbove: 80, outcomes: OUTCOMES });
    const tried = createRejudge({ outcomes: { reject: ["vpn"] } })(record);
    expect(shown(tried)).toEqual(["reject", "flag", "vpn"]);
    expect(createRejudge({ outcomes: { flag: ["tor"] } })(record).outcome).toBe("allow");
    const passed = { ...record, outcome: "allow", because: "challenge_passed" } as const;
    expect(createRejudge()(passed).outcome).toBe("allow");
  });

  it.each([{ reject: ["bot"] }, { reject: ["tor"], flag: ["tor"] }, []])(
    "make a forged record unreadable: %j",
    async (outcomes) => {
      const { record } = await decided({});
      expect(isDecisionRecord({ ...record, policy: { ...record.policy, outcomes } })).toBe(false);
      expect(isDecisionRecord({ ...record, flag: "bot" })).toBe(false);
    },
  );
});
