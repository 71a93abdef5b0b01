import { normalizeIp } from "@riskgate/core/address";
import { describe, expect, it, onTestFinished } from "vitest";
import { runConformance } from "../../src/conformance/run-conformance.js";
import { lookupApiContract } from "../../src/lookup-api/lookup-api-contract.js";
import type { LookupApiTarget } from "../../src/lookup-api/lookup-api-target.js";
import { serveHttp } from "../../src/http/serve-http.js";

const KEY = "conformance-key-1";

/** A request, as far as an API looks at it. */
interface Question {
  readonly method: string;
  readonly url: string;
  readonly keys: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const problem = (status: number): Answer => ({
  status,
  body: { code: status, details: "", errno: status, error: "", info: "", message: "" },
});

const COUNTS = {
  risk_score: 5,
  is_known_attacker: false,
  security_events_count: 0,
  high_risk_security_events_count: 0,
};

function assess(kind: string, value: string): Answer {
  const flags = (names: string) => names.split(" ").map((name) => [`is_${name}`, false] as const);
  if (kind === "emails") {
    const more = Object.fromEntries(flags("disposable email_malformed email_harmful"));
    return value.length > 320
      ? problem(400)
      : { status: 200, body: { email: value, ...COUNTS, ...more } };
  }
  const ip = normalizeIp(value);
  if (ip === undefined) return problem(400);
  const more = Object.fromEntries(flags("datacenter vpn proxy private tor"));
  const version = ip.includes(":") ? 6 : 4;
  return { status: 200, body: { ip, ip_version: version, ip_geo: {}, ...COUNTS, ...more } };
}

/** What a right API answers. */
function answerTo({ method, url, keys }: Question): Answer {
  if (keys.length !== 1 || keys[0] !== KEY) return problem(401);
  const [, kind = "", segment = ""] = /^\/v1\/(ips|emails)\/([^/]+)$/.exec(url) ?? [];
  if (segment === "") return problem(404);
  if (method !== "GET" && method !== "HEAD") return { ...problem(405), headers: { allow: "GET" } };
  try {
    return assess(kind, decodeURIComponent(segment));
  } catch {
    return problem(400);
  }
}

/** Another answer in the place of the right one; undefined leaves it. */
type Flaw = (question: Question, right: Answer) => Answer | undefined;

async function serveFlawed(flaw: Flaw): Promise<LookupApiTarget> {
  const app = await serveHttp((request, response) => {
    const { method = "", url = "", headersDistinct } = request;
    const question = { method, url, keys: headersDistinct["x-api-key"] ?? [] };
    const right = answerTo(question);
    const { status, body, headers } = flaw(question, right) ?? right;
    const own = { "content-type": "application/json", ...headers };
    response.writeHead(status, own).end(JSON.stringify(body));
  });
  onTestFinished(async () => app.close());
  return { url: new URL(`http://127.0.0.1:${app.port}/`), apiKey: KEY };
}

async function brokenBy(flaw: Flaw): Promise<string[]> {
  const target = await serveFlawed(flaw);
  const ids: string[] = [];
  for await (const { id, state } of runConformance(lookupApiContract, target)) {
    if (state === "failed" || state === "warned") ids.push(id);
  }
  return ids;
}

it("leaves the key out of what it shows of an answer", async () => {
  const target = await serveFlawed(({ keys }) => ({
    status: 400,
    body: { details: `no such key: ${keys.join()}` },
  }));
  const shown: string[] = [];
  for await (const { deviations } of runConformance(lookupApiContract, target)) {
    shown.push(...deviations.map(({ received }) => received));
  }
  expect(shown[0]).toContain("no such key: (the API key)");
  expect(shown.join("\n")).not.toContain(KEY);
});

const changed =
  (members: Readonly<Record<string, unknown>>, kind: "ip" | "email"): Flaw =>
  (_, { status, body }) =>
    status === 200 && kind in body ? { status, body: { ...body, ...members } } : undefined;

/** Flaws with the cases that have to notice them: those and no others. */
const FLAWS: [flaw: string, ids: string[], answer: Flaw][] = [
  ["none", [], () => undefined],
  ["a score of 101", ["API-01"], changed({ risk_score: 101 }, "ip")],
  ["no score", ["API-01"], changed({ risk_score: null }, "ip")],
  ["a version that is text", ["API-02", "API-04", "API-08"], changed({ ip_version: "4" }, "ip")],
  [
    "counts that are null",
    ["API-02", "API-04", "API-08"],
    changed({ security_events_count: null }, "ip"),
  ],
  ["no geo", ["API-02", "API-04", "API-08"], changed({ ip_geo: null }, "ip")],
  [
    "a country of two letters",
    ["API-02", "API-04", "API-08"],
    changed({ ip_geo: { country_code: "FR" } }, "ip"),
  ],
  [
    "another email",
    ["API-03", "API-05", "API-06", "API-08", "API-09", "API-10"],
    changed({ email: "x@y.example" }, "email"),
  ],
  ["one member more", ["API-08"], changed({ trace: 1 }, "ip")],
  [
    "a path that is decoded twice",
    ["API-06"],
    (question, { status }) => {
      if (status !== 200) return undefined;
      return answerTo({ ...question, url: question.url.replaceAll("%25", "%") });
    },
  ],
  [
    "a score by the spelling",
    ["API-07"],
    ({ url }, { status, body }) =>
      status === 200 && /ffff/i.test(url)
        ? { status, body: { ...body, risk_score: 6 } }
        : undefined,
  ],
  [
    "403 for a wrong key",
    ["API-11", "API-12", "API-18"],
    (_, { status }) => (status === 401 ? problem(403) : undefined),
  ],
  [
    "a score without a key",
    ["API-11", "API-14", "API-18"],
    ({ url }, { status }) =>
      status === 401 && url !== "/v1/ips/x" && url !== "/v1/emails/x"
        ? { status: 401, body: { risk_score: 0 } }
        : undefined,
  ],
  [
    "the address before the key",
    ["API-12"],
    ({ url }) => (url === "/v1/ips/x" || url === "/v1/emails/x" ? problem(400) : undefined),
  ],
  [
    "another error body",
    ["API-13", "API-14"],
    (_, { status }) => (status === 400 ? { status, body: { error: "bad" } } : undefined),
  ],
  [
    "codes as text",
    ["API-13", "API-14"],
    (_, { status, body }) =>
      status === 400 ? { status, body: { ...body, code: "400" } } : undefined,
  ],
  [
    "a type of text",
    ["API-15"],
    (_, right) => ({ ...right, headers: { "content-type": "text/plain" } }),
  ],
  ["any method", ["API-16"], (question) => answerTo({ ...question, method: "GET" })],
  [
    "500 for a bad escape",
    ["API-17"],
    ({ url }) => (/%(?:zz|eth0|off)/.test(url) ? problem(500) : undefined),
  ],
  [
    "the first of two keys",
    ["API-18"],
    (question) => answerTo({ ...question, keys: question.keys.slice(0, 1) }),
  ],
];

describe("lookupApiContract", () => {
  it.each(FLAWS)("notices %s", async (_, ids, flaw) => {
    expect(await brokenBy(flaw)).toEqual(ids);
  });

  it("asks again after the time that a limit names", async () => {
    let left = 30;
    const limited: Flaw = () => {
      if (left-- > 0) return undefined;
      left = 300;
      return { ...problem(429), headers: { "retry-after": "1" } };
    };
    expect(await brokenBy(limited)).toEqual([]);
  });

  it("notices a limit that names no time", async () => {
    const target = await serveFlawed(() => problem(429));
    const { deviations } = await lookupApiContract.at(-1)!.examine(target);
    expect(deviations[0]?.expected).toBe("429 with Retry-After in whole seconds");
  });
});
