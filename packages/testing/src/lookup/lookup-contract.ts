import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { getEventListeners } from "node:events";
import {
  type EmailAssessment,
  type IpAssessment,
  isRiskGateError,
  type RiskLookup,
  type Scored,
} from "@riskgate/core";
import { normalizeIp } from "@riskgate/core/address";
import type { ContractCheck } from "../base/contract-check.js";
import { pause, watchProcess } from "../base/process-watch.js";

/** Opens a lookup to test. It may start without any data. */
export interface LookupHarness {
  readonly name: string;
  open(): Promise<OpenLookup>;
}

export interface OpenLookup {
  readonly lookup: RiskLookup;
  readonly close: () => Promise<void>;
}

const SPELLINGS = [
  ["203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107", "::FFFF:203.0.113.7"],
  ["8.8.8.8"],
  ["2001:db8::1", "2001:DB8:0:0:0:0:0:1", "2001:db8::1%eth0"],
  ["fe80::1", "fe80::1%eth0", "FE80::1%1"],
  ["::1"],
];

const NO_IPS = [
  "",
  "1.2.3",
  "01.2.3.4",
  "0x7f.1",
  "1.2.3.4:80",
  "[::1]",
  "::1/64",
  " 1.2.3.4",
  "1.2.3.4\n",
  "\uff11.2.3.4",
  "1.2.3.4%0",
  "1::2::3",
  "12345::",
  "..",
  "1".repeat(10_000),
];

const NO_EMAILS = ["", " ", "\t\n", ".", "..", "a\ud800@x.y", `${"a".repeat(317)}@x.y`];

const ODD_EMAILS = [
  "a/b@x.y",
  "a?b@x.y",
  "a#b@x.y",
  "a%2fb@x.y",
  "a;b@x.y",
  "a\\b@x.y",
  '"a b"@x.y',
  "a+b@x.y",
  "\u00e9@x.y",
  "a\r\nBcc: b@x.y",
  "a\u0000@x.y",
  "__proto__",
  "constructor",
  "1.2.3.4",
  `${"a".repeat(316)}@x.y`,
];

const fail = (): never => {
  throw new Error("an identifier is never turned into text");
};
const NO_TEXTS: readonly unknown[] = [
  undefined,
  null,
  5,
  true,
  {},
  ["1.2.3.4"],
  ["a@x.y"],
  Symbol("a@x.y"),
  { toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail },
  // oxlint-disable-next-line unicorn/new-for-builtins, no-new-wrappers -- An object that looks like text.
  new String("1.2.3.4"),
];

/** Rules for every lookup, whatever the source of its results. */
export const lookupContract: readonly ContractCheck<LookupHarness>[] = [
  check("LKP-01", "gives a valid assessment for every spelling of an address", async (lookup) => {
    for (const [first = "", ...others] of SPELLINGS) {
      const assessment = await lookup.lookupIp(first);
      assertScore(assessment.risk_score);
      if (assessment.ip !== undefined) equal(normalizeIp(assessment.ip), first);
      const { ip_version: version } = assessment;
      if (version !== undefined) equal(version, first.includes(":") ? 6 : 4);
      for (const spelling of others) {
        const { ip: _ip, ...other } = await lookup.lookupIp(spelling);
        const { ip: _first, ...same } = assessment;
        deepEqual(other, same, spelling);
      }
    }
  }),
  check("LKP-02", "gives a valid assessment for every email address", async (lookup) => {
    for (const email of ["a@shop.example", "A@SHOP.example", ...ODD_EMAILS]) {
      const assessment = await lookup.lookupEmail(email);
      assertScore(assessment.risk_score);
      if (assessment.email !== undefined) equal(assessment.email, email);
    }
  }),
  check("LKP-03", "refuses text that is not an IP address", async (lookup) => {
    for (const ip of [...NO_IPS, ...NO_TEXTS, "a@x.y"]) {
      await refuses(async () => lookup.lookupIp(ip as string), "INVALID_ARGUMENT");
    }
  }),
  check("LKP-04", "refuses text that cannot be looked up as an email address", async (lookup) => {
    for (const email of [...NO_EMAILS, ...NO_TEXTS]) {
      await refuses(async () => lookup.lookupEmail(email as string), "INVALID_ARGUMENT");
    }
  }),
  check("LKP-05", "rejects and never throws", async (lookup) => {
    const results = [lookup.lookupIp(""), lookup.lookupEmail(""), lookup.lookupIp(null as never)];
    const settled = await Promise.allSettled(results);
    ok(settled.every(({ status }) => status === "rejected"));
  }),
  check("LKP-06", "sends no lookup if the caller has already aborted", async (lookup) => {
    const signal = AbortSignal.abort();
    await refuses(async () => lookup.lookupIp("198.51.100.1", { signal }), "ABORTED");
    await refuses(async () => lookup.lookupEmail("new@shop.example", { signal }), "ABORTED");
  }),
  check("LKP-07", "lets one caller abort without the others", async (lookup) => {
    const abort = new AbortController();
    const given = lookup.lookupIp("198.51.100.2", { signal: abort.signal });
    const kept = lookup.lookupIp("198.51.100.2");
    abort.abort();
    const [gone, stays] = await Promise.allSettled([given, kept]);
    if (gone.status === "rejected")
      ok(isRiskGateError(gone.reason) && gone.reason.code === "ABORTED");
    equal(stays.status, "fulfilled");
  }),
  check("LKP-08", "leaves no listener on a signal", async (lookup) => {
    const { signal } = new AbortController();
    const lookups = Array.from({ length: 100 }, async (_, index) =>
      Promise.all([
        lookup.lookupIp(`198.51.100.${index}`, { signal }),
        lookup.lookupEmail(`user${index}@shop.example`, { signal }),
      ]),
    );
    await Promise.all(lookups);
    equal(getEventListeners(signal, "abort").length, 0);
  }),
  check(
    "LKP-09",
    "gives equal lookups equal answers, at the same time and later",
    async (lookup) => {
      const ask = async (): Promise<unknown> =>
        Promise.all([lookup.lookupIp("203.0.113.9"), lookup.lookupEmail("b@shop.example")]);
      const answers = await Promise.all(Array.from({ length: 100 }, ask));
      for (const answer of [...answers, await ask()]) deepEqual(answer, answers[0]);
    },
  ),
  check("LKP-10", "never shares an answer that a caller can change", async (lookup) => {
    const first = await lookup.lookupIp("203.0.113.10");
    const { risk_score: score } = first;
    for (const change of [
      () => Object.assign(first, { risk_score: 99 }),
      () => Object.assign(first.ip_geo ?? {}, { city: "changed" }),
    ]) {
      try {
        change();
      } catch (error) {
        ok(error instanceof TypeError);
      }
    }
    const second = await lookup.lookupIp("203.0.113.10");
    equal(second.risk_score, score);
    ok(second.ip_geo?.city !== "changed");
  }),
  check("LKP-11", "peeks without throwing, and answers as a lookup does", async (lookup) => {
    equal(typeof lookup.peekIp, typeof lookup.peekEmail, "a peek for both or for none");
    if (!lookup.peekIp || !lookup.peekEmail) return;
    for (const value of [...NO_IPS, ...NO_TEXTS]) equal(lookup.peekIp(value as string), undefined);
    for (const value of [...NO_EMAILS, ...NO_TEXTS]) {
      equal(lookup.peekEmail(value as string), undefined);
    }
    for (const ip of SPELLINGS.flat()) {
      const { ip: _ip, ...answer } = await lookup.lookupIp(ip);
      const peeked: Scored<IpAssessment> | undefined = lookup.peekIp(ip);
      if (!peeked) continue;
      equal(peeked.state, "scored");
      ok(["live", "cache", "stale"].includes(peeked.source));
      const { ip: _peeked, ...same } = peeked.assessment;
      deepEqual(same, answer, ip);
    }
    const answer = await lookup.lookupEmail("c@shop.example");
    const remembered: Scored<EmailAssessment> | undefined = lookup.peekEmail("c@shop.example");
    if (remembered) deepEqual(remembered.assessment, answer);
  }),
];

function check(
  id: string,
  title: string,
  body: (lookup: RiskLookup) => Promise<void>,
): ContractCheck<LookupHarness> {
  return {
    id,
    title,
    timeoutMs: 60_000,
    async run(harness) {
      const watch = await watchProcess();
      try {
        const { lookup, close } = await harness.open();
        try {
          await body(lookup);
          await pause(0);
        } finally {
          await close();
        }
        await watch.end();
      } finally {
        watch.stop();
      }
    },
  };
}

function assertScore(score: unknown): void {
  ok(typeof score === "number" && score >= 0 && score <= 100, `risk_score ${String(score)}`);
}

async function refuses(ask: () => Promise<unknown>, code: string): Promise<void> {
  await rejects(ask, (error: unknown) => isRiskGateError(error) && error.code === code);
}
