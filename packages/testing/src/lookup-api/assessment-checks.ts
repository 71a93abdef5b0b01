import {
  type ConformanceCheck,
  conformanceCheck,
  type Deviation,
} from "../conformance/conformance-check.js";
import { emailAssessment, ipAssessment, MEMBERS, SCORED } from "./assessment-verdict.js";
import { askPatiently, lookupApiCheck, type Question } from "./lookup-api-check.js";
import type { LookupApiTarget } from "./lookup-api-target.js";
import { allOf, objectOf, type Verdict } from "./verdict.js";

const IP = "192.0.2.1";
const EMAIL = "conformance@example.com";

const SPELLINGS = [
  [IP, "::ffff:192.0.2.1", "::FFFF:c000:201"],
  ["2001:db8::1", "2001:DB8:0:0:0:0:0:1"],
] as const;

const FIELDS = "Give every member of the specification, with its type and within its range";

export const assessmentChecks: readonly ConformanceCheck<LookupApiTarget>[] = [
  lookupApiCheck({
    id: "API-01",
    level: "must",
    title: "answers a lookup with a score",
    remedy: "Check the base URL and the key; the answer is a JSON object with a risk_score",
    questions: [{ ...askIp(IP), verdict: SCORED }],
  }),
  lookupApiCheck({
    id: "API-02",
    level: "must",
    title: "assesses an IPv4 address",
    remedy: FIELDS,
    questions: [askIp(IP), askIp("8.8.8.8"), askIp("127.0.0.1")],
  }),
  lookupApiCheck({
    id: "API-03",
    level: "must",
    title: "assesses an email address",
    remedy: FIELDS,
    questions: [askEmail(EMAIL), askEmail("ADA@Example.COM")],
  }),
  lookupApiCheck({
    id: "API-04",
    level: "must",
    title: "assesses an IPv6 address in any spelling",
    remedy: "Parse the address, and answer with ip_version 6",
    questions: [
      "2001:db8::1",
      "2001:DB8::1",
      "2001:0db8:0:0:0:0:0:1",
      "::1",
      "2001:db8:1::198.51.100.1",
    ].flatMap((ip) => [askIp(ip), askIp(ip, encodeURIComponent(ip))]),
  }),
  lookupApiCheck({
    id: "API-05",
    level: "must",
    title: "decodes an email address in the path, and returns it unchanged",
    remedy: "Decode the path once, and give the email back unchanged",
    questions: [
      askEmail("ada+shop@example.com"),
      askEmail("o'hara@example.com"),
      askEmail("\u00e9@example.com"),
      askEmail("ada@example.com", "%61da%40example%2Ecom"),
    ],
  }),
  lookupApiCheck({
    id: "API-06",
    level: "should",
    title: "decodes the path once, with a slash and a percent sign in an email",
    remedy: "Decode each segment once, after splitting the path at its slashes",
    questions: [
      askEmail("a/b@example.com"),
      askEmail("a%40@example.com"),
      askEmail("a?b#c@example.com"),
    ],
  }),
  conformanceCheck({
    id: "API-07",
    level: "should",
    title: "gives the same answer for all spellings of an address",
    remedy: "Compare addresses by value: an IPv4 address mapped into IPv6 is that IPv4 address",
    async examine(target) {
      const scoreOf = async (ip: string): Promise<unknown> =>
        objectOf(await askPatiently(target, askIp(ip)))?.["risk_score"];
      const deviations: Deviation[] = [];
      for (const [ip, ...others] of SPELLINGS) {
        const first = await scoreOf(ip);
        for (const other of others) {
          const score = await scoreOf(other);
          if (score === first) continue;
          const [expected, received] = [first, score].map(
            (value) => `risk_score: ${String(value)}`,
          );
          deviations.push({
            sent: `${ip}, then ${other}`,
            expected: expected!,
            received: received!,
          });
        }
      }
      return { deviations };
    },
  }),
  lookupApiCheck({
    id: "API-08",
    level: "should",
    title: "gives the members of the specification and no others",
    remedy: "Omit other members, or return them on request only: some clients compare all of them",
    questions: [
      { ...askIp(IP), verdict: allOf(ipAssessment(IP), noOthers(MEMBERS.ip)) },
      { ...askEmail(EMAIL), verdict: allOf(emailAssessment(EMAIL), noOthers(MEMBERS.email)) },
    ],
  }),
  lookupApiCheck({
    id: "API-09",
    level: "should",
    title: "answers clients that do not percent-encode the path",
    remedy: "Accept `@`, `+` and `:` in a path without escapes",
    questions: [
      askEmail("ada@example.com", "ada@example.com"),
      askEmail("ada+shop@example.com", "ada+shop@example.com"),
    ],
  }),
  lookupApiCheck({
    id: "API-10",
    level: "should",
    title: "assesses identifiers that are names of object members",
    remedy: "Look identifiers up in a map, not in a plain object",
    questions: ["__proto__@example.com", "constructor@example.com"].map((email) => askEmail(email)),
  }),
];

function askIp(ip: string, segment = ip): Question {
  return { sent: `the address ${ip}`, path: `/v1/ips/${segment}`, verdict: ipAssessment(ip) };
}

function askEmail(email: string, segment = encodeURIComponent(email)): Question {
  return {
    sent: `the email ${email}`,
    path: `/v1/emails/${segment}`,
    verdict: emailAssessment(email),
  };
}

function noOthers(names: readonly string[]): Verdict {
  return (answer) => {
    const other = Object.keys(objectOf(answer) ?? {}).find((name) => !names.includes(name));
    return other === undefined
      ? undefined
      : { expected: "no member beyond the specified ones", received: `a member ${other}` };
  };
}
