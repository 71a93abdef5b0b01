import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Assessment } from "../../src/model/assessment.js";
import { recordOf } from "../../src/log/decision-record.js";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import { isDecisionRecord, parseDecisionRecord } from "../../src/log/read-record.js";
import { EMAIL, IP, madeDecision, SECRET } from "../support/made-decision.js";

const digest = createIdentityDigest({ secret: SECRET });
const AT = Date.parse("2026-03-01T12:00:00.000Z");

describe("recordOf", () => {
  it("keeps outcome, scores, signals, country and digests", () => {
    expect(recordOf(madeDecision(), digest, AT)).toEqual({
      v: 1,
      id: "8b6f9cfd-0b8e-4c44-9a5a-6a2a54f1f3c2",
      at: "2026-03-01T12:00:00.000Z",
      route: "POST /signup",
      outcome: "flag",
      enforced: true,
      because: "score",
      score: 55,
      ip: {
        state: "scored",
        score: 55,
        source: "live",
        flags: ["is_vpn"],
        country: "DEU",
        digest: digest.ip(IP),
      },
      email: {
        state: "scored",
        score: 5,
        source: "cache",
        flags: [],
        digest: digest.email(EMAIL),
      },
      policy: { flagAbove: 40, rejectAbove: 80 },
    });
  });

  it("holds nothing of the identifiers", () => {
    const assessment = { risk_score: 5, email: EMAIL, ip: IP, note: EMAIL, city: "Berlin" };
    const made = madeDecision({
      ip: { state: "scored", source: "live", assessment },
      email: { state: "scored", source: "live", assessment },
    });
    const text = JSON.stringify(recordOf(made, digest, AT));
    expect(text).not.toMatch(/ann|example|203\.0|Berlin/);
  });

  it("says what the policy makes of what is missing", () => {
    const made = madeDecision({
      ip: { state: "skipped", why: "unusable" },
      email: { state: "failed", fault: "timeout" },
    });
    expect(recordOf(made, digest, AT)).toMatchObject({
      ip: { state: "skipped", why: "unusable", outcome: "flag" },
      email: { state: "failed", fault: "timeout", outcome: "allow" },
    });
  });

  it("has no digest of what is not given or not an address, and no route that nobody named", () => {
    const made = madeDecision({}, { ip: "unknown", email: undefined, route: undefined });
    const { ip, email, route } = recordOf(made, digest, AT);
    expect([ip.digest, email.digest, route]).toEqual([undefined, undefined, null]);
  });

  it("takes from an assessment only what has the form of a flag and of a country", () => {
    const assessment = {
      risk_score: 1,
      "is_ann@example.com": true,
      is_ok: true,
      is_text: "true",
      Is_Loud: true,
      ip_geo: { country_code: "somewhere" },
    };
    const { ip } = recordOf(
      madeDecision({ ip: { state: "scored", source: "live", assessment } }),
      digest,
      AT,
    );
    expect(ip).toMatchObject({ flags: ["is_ok"] });
    expect(ip).not.toHaveProperty("country");
  });

  it("bounds what an assessment or a route can add", () => {
    const assessment = Object.fromEntries([
      ["risk_score", 1],
      ...Array.from({ length: 1_000 }, (_, at) => [`is_${at}`, true]),
    ]) as Assessment;
    const made = madeDecision(
      { ip: { state: "scored", source: "live", assessment } },
      { route: `POST /${"\ud800".repeat(9_000)}` },
    );
    const text = JSON.stringify(recordOf(made, digest, AT));
    expect(text.length).toBeLessThan(1_500);
    expect(parseDecisionRecord(text)).toBeDefined();
  });
});

describe("parseDecisionRecord", () => {
  const record = recordOf(madeDecision(), digest, AT);

  it("reads the record of the documents, which names every member", () => {
    const page = readFileSync(new URL("../../../../docs/rehearsal.md", import.meta.url), "utf8");
    const [, example = ""] = /```json\n([^]*?)```/.exec(page) ?? [];
    const documented = parseDecisionRecord(example);
    expect(Object.keys(documented!)).toEqual(Object.keys(record));
    expect(Object.keys(documented!.ip)).toEqual(Object.keys(record.ip));
    for (const member of Object.keys(record))
      expect(page).toMatch(new RegExp(`\\| .*\`${member}\``));
  });

  it("reads what was recorded", () => {
    expect(parseDecisionRecord(JSON.stringify(record))).toEqual(record);
  });

  it("keeps members that it does not know", () => {
    expect(parseDecisionRecord(JSON.stringify({ ...record, rule: "r1" }))).toHaveProperty("rule");
  });

  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["a list", [record]],
    ["null", null],
    ["a later version", { ...record, v: 2 }],
    ["no time", { ...record, at: undefined }],
    ["a time in another form", { ...record, at: "yesterday" }],
    ["an unknown outcome", { ...record, outcome: "maybe" }],
    ["an outcome that a prototype has", { ...record, outcome: "constructor" }],
    ["a score beyond 100", { ...record, score: 101 }],
    ["a score as text", { ...record, score: "55" }],
    ["evidence of an unknown state", { ...record, ip: { state: "lost" } }],
    ["evidence without its score", { ...record, ip: { ...record.ip, score: undefined } }],
    ["flags that are no texts", { ...record, ip: { ...record.ip, flags: [1] } }],
    ["a digest in another form", { ...record, ip: { ...record.ip, digest: "\u001b[2J" } }],
    ["a fault without its outcome", { ...record, ip: { state: "failed", fault: "timeout" } }],
    ["thresholds that cross", { ...record, policy: { flagAbove: 90, rejectAbove: 80 } }],
    ["no thresholds", { ...record, policy: undefined }],
  ])("refuses %s", (_, value) => {
    const line = typeof value === "string" ? value : JSON.stringify(value);
    expect(parseDecisionRecord(line)).toBeUndefined();
    expect(isDecisionRecord(value)).toBe(false);
  });
});
