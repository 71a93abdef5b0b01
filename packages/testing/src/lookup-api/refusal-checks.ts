import { type ConformanceCheck, conformanceCheck } from "../conformance/conformance-check.js";
import type { Lines } from "../conformance/probe.js";
import { ask, lookupApiCheck, type Question } from "./lookup-api-check.js";
import type { LookupApiTarget } from "./lookup-api-target.js";
import { allOf, expecting, IS_OBJECT, objectOf, status, type Verdict } from "./verdict.js";

const IP_PATH = "/v1/ips/192.0.2.1";
const EMAIL_PATH = "/v1/emails/conformance%40example.com";
const BURST = 60;

const NO_IPS = ["not-an-ip", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1::2::3", "12345::", "1.2.3.4:80"];

/** Members of an error body. Source: specification, Lookup error body. */
const ERROR_BODY: Verdict = expecting({
  words: "code, details, errno, error, info and message, of which code and errno are numbers",
  holds(answer) {
    const { code, errno, details, error, info, message } = objectOf(answer) ?? {};
    const texts = [details, error, info, message];
    const numbers = [code, errno];
    return (
      numbers.every((value) => value === answer.status) &&
      texts.every((value) => typeof value === "string")
    );
  },
});

const NO_ASSESSMENT: Verdict = expecting({
  words: "no risk_score",
  holds: (answer) => !Object.hasOwn(objectOf(answer) ?? {}, "risk_score"),
});

const DENIED: Verdict = allOf(status(401), NO_ASSESSMENT);

const IS_JSON_TYPE: Verdict = expecting({
  words: "application/json",
  holds: ({ headers }) => /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""),
});

const LIMITED: Verdict = allOf(
  expecting({
    words: "429 with Retry-After in whole seconds",
    holds: ({ headers }) => /^[1-9][0-9]*$/.test(headers["retry-after"] ?? ""),
  }),
  ERROR_BODY,
);

const none = (): Lines => [];
const BAD_KEYS: readonly (readonly [sent: string, keys: (apiKey: string) => Lines])[] = [
  ["no key", none],
  ["an empty key", () => [["X-API-Key", ""]]],
  ["an unknown key", () => [["X-API-Key", "conformance-unknown-key"]]],
  ["the key with a character more", (apiKey) => [["X-API-Key", `${apiKey}x`]]],
  ["the key as a bearer token", (apiKey) => [["Authorization", `Bearer ${apiKey}`]]],
];

export const refusalChecks: readonly ConformanceCheck<LookupApiTarget>[] = [
  lookupApiCheck({
    id: "API-11",
    level: "must",
    title: "denies a request without a valid key",
    remedy: "Answer 401 without an assessment unless the header X-API-Key has a valid key",
    questions: BAD_KEYS.flatMap(([sent, keys]) =>
      [IP_PATH, EMAIL_PATH].map((path) => ({ sent, path, keys, verdict: DENIED })),
    ),
  }),
  lookupApiCheck({
    id: "API-12",
    level: "must",
    title: "checks the key before the address",
    remedy: "Check the key first: a 401 must not depend on the rest of the request",
    questions: [
      { sent: "no IP address, without a key", path: "/v1/ips/x", keys: none, verdict: DENIED },
      { sent: "no email, without a key", path: "/v1/emails/x", keys: none, verdict: DENIED },
    ],
  }),
  lookupApiCheck({
    id: "API-13",
    level: "must",
    title: "answers 400 with the error body if the path has no IP address",
    remedy: "Answer 400 with code, details, errno, error, info and message; code and errno are 400",
    questions: NO_IPS.map((text) => ({
      sent: `the text ${text}`,
      path: `/v1/ips/${encodeURIComponent(text)}`,
      verdict: allOf(status(400), IS_OBJECT, ERROR_BODY),
    })),
  }),
  lookupApiCheck({
    id: "API-14",
    level: "should",
    title: "gives every error as a JSON object of the same form",
    remedy: "Give 400, 401 and 404 the six members of the documented error body",
    questions: [
      { sent: "no key", path: IP_PATH, keys: none, verdict: ERROR_BODY },
      { sent: "an unknown path", path: "/v1/conformance", verdict: allOf(status(404), ERROR_BODY) },
      { sent: "no email", path: "/v1/emails/", verdict: allOf(status(404), ERROR_BODY) },
      {
        sent: "an email of 400 bytes",
        path: `/v1/emails/${"a".repeat(388)}%40example.com`,
        verdict: allOf(status(400), ERROR_BODY),
      },
    ],
  }),
  lookupApiCheck({
    id: "API-15",
    level: "should",
    title: "answers with the content type application/json",
    remedy: "Set Content-Type: application/json on every answer, including errors",
    questions: [
      { sent: "an address", path: IP_PATH },
      { sent: "an email", path: EMAIL_PATH },
      { sent: "no IP address", path: "/v1/ips/x" },
      { sent: "no key", path: IP_PATH, keys: none },
    ].map((question) => ({ ...question, verdict: IS_JSON_TYPE })),
  }),
  lookupApiCheck({
    id: "API-16",
    level: "should",
    title: "answers only GET and HEAD",
    remedy: "Answer 405 with Allow to POST, PUT and DELETE, and HEAD without a body",
    questions: [
      ...["POST", "PUT", "DELETE"].map((method): Question => ({
        sent: "another method",
        method,
        path: IP_PATH,
        verdict: status(405),
      })),
      { sent: "the head alone", method: "HEAD", path: IP_PATH, verdict: status(200, 405) },
    ],
  }),
  lookupApiCheck({
    id: "API-17",
    level: "should",
    title: "answers 400 or 404 to a path that cannot be read",
    remedy: "Answer 400 to malformed escapes and 404 to another number of segments; never 5xx",
    questions: [
      ...["%", "%zz", "%c3%28", "50%off@example.com"].map((segment) => ({
        sent: "a malformed escape",
        path: `/v1/emails/${segment}`,
        verdict: status(400),
      })),
      { sent: "an escape in an IP address", path: "/v1/ips/fe80::1%eth0", verdict: status(400) },
      ...[
        "/v1/ips/",
        "/v1/ips/192.0.2.1/24",
        "/v1/emails/a/b@example.com",
        "/v2/ips/192.0.2.1",
      ].map((path) => ({ sent: "other segments", path, verdict: status(404) })),
    ],
  }),
  lookupApiCheck({
    id: "API-18",
    level: "should",
    title: "denies a request with two keys",
    remedy: "Accept exactly one header line X-API-Key",
    questions: [
      {
        sent: "the key, and an unknown one",
        path: IP_PATH,
        keys: (apiKey) => [
          ["X-API-Key", apiKey],
          ["X-API-Key", "conformance-unknown-key"],
        ],
        verdict: DENIED,
      },
    ],
  }),
  conformanceCheck({
    id: "API-19",
    level: "should",
    title: "sends Retry-After if it limits the rate",
    remedy: "Give 429 a Retry-After in whole seconds, from 1",
    async examine(target) {
      const question = { sent: "an address", path: IP_PATH, verdict: LIMITED };
      const burst = Array.from({ length: BURST }, async () => ask(target, question));
      const limited = (await Promise.all(burst)).filter((answer) => answer.status === 429);
      if (limited.length === 0) {
        return { deviations: [], skipped: `${BURST} lookups at the same time met no limit` };
      }
      const found = limited.map((answer) => LIMITED(answer)).find(Boolean);
      return { deviations: found ? [{ sent: `${BURST} lookups at the same time`, ...found }] : [] };
    },
  }),
];
