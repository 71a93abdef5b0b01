import { randomBytes } from "node:crypto";
import { parseShallowJson } from "@riskgate/core/internal";
import type { HttpAnswer } from "../http/http-exchange.js";
import { isLoopback } from "../options/http-url.js";
import { about, type Finding, type Verdicts } from "./finding.js";
import { reach } from "./reach.js";

export interface ApiTarget {
  readonly url: URL;
  readonly apiKey: string | undefined;
  readonly reportKey?: string | undefined;
  readonly timeoutMs: number;
}

/** A documentation address, assigned to nobody. */
const IP = "192.0.2.1";
const EMAIL = "doctor@example.com";

/** A gate's default budget for both lookups. */
const BUDGET_MS = 800;

const SKEW_MS = 60_000;

/** Members of every error body. Source: specification, Lookup error body. */
const ERROR_MEMBERS = ["code", "details", "errno", "error", "info", "message"];

/** Checks a lookup API from outside. A fault that would hide others is checked first. */
export async function* checkApi(target: ApiTarget): AsyncGenerator<Finding> {
  const { url } = target;
  const reached = about("lookup API is reached");
  if (url.protocol === "http:" && !isLoopback(url)) {
    yield reached.fault(
      "the base URL begins with http://",
      "Use https://: otherwise others can read the key",
    );
    return;
  }
  const first = await ask(target, `v1/ips/${IP}`, undefined, reached);
  if ("finding" in first) {
    yield first.finding;
    return;
  }
  const { answer } = first;
  const identity = identify(answer, reached);
  yield identity;
  yield checkClock(answer);
  if (identity.state === "fault") return;
  yield checkLock(answer, "a request without a key is refused");
  yield await checkAdministration(target);
  yield* checkApiKey(target);
  if (target.reportKey !== undefined) yield await checkReportKey(target, target.reportKey);
}

async function* checkApiKey(target: ApiTarget): AsyncGenerator<Finding> {
  const { apiKey } = target;

  const key = about("API key is accepted");
  if (apiKey === undefined) {
    yield key.skipped("no key was given: set RISKGATE_API_KEY, or give --api-key-file");
    return;
  }
  const wrong = await ask(target, `v1/ips/${IP}`, randomBytes(16).toString("hex"), key);
  if ("answer" in wrong) yield checkLock(wrong.answer, "a request with a wrong key is refused");
  const right = await ask(target, `v1/ips/${IP}`, apiKey, key);
  const verdict = "finding" in right ? right.finding : checkKey(right.answer, key);
  yield verdict;
  if (verdict.state === "fault" || "finding" in right) return;

  yield checkAssessment(right.answer, "IP address is assessed");
  const email = about("email address is assessed");
  const mail = await ask(target, `v1/emails/${encodeURIComponent(EMAIL)}`, apiKey, email);
  yield "finding" in mail
    ? mail.finding
    : checkAssessment(mail.answer, "email address is assessed");
  const invalid = about("text that is not an IP address is refused");
  const bad = await ask(target, "v1/ips/not-an-address", apiKey, invalid);
  yield "finding" in bad ? bad.finding : checkRefusal(bad.answer, invalid);
  yield checkSpeed(right.answer);
}

/** Sends a report without events, which changes nothing. */
async function checkReportKey(target: ApiTarget, reportKey: string): Promise<Finding> {
  const verdicts = about("report key is accepted");
  const reached = await reach(
    urlOf(target, "v1/reports/events"),
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": reportKey },
      body: Buffer.from('{"events":[]}'),
      timeoutMs: target.timeoutMs,
    },
    verdicts,
  );
  if ("finding" in reached) return reached.finding;
  const { status } = reached.answer;
  // A service may refuse a report without events, but only after it has accepted the key.
  if (status === 400) return verdicts.ok("status 400 for an empty report");
  if (status === 401 || status === 403) {
    return verdicts.fault(
      `status ${status}`,
      "The key is wrong, revoked, or not a report key: create one with `riskgate app key <id> --report`",
    );
  }
  if (status === 404) return verdicts.skipped("the server accepts no reports: status 404");
  return checkKey(reached.answer, verdicts);
}

function urlOf({ url }: ApiTarget, path: string): URL {
  return new URL(`${url.origin}${url.pathname.replace(/\/+$/, "")}/${path}`);
}

function ask(
  target: ApiTarget,
  path: string,
  apiKey: string | undefined,
  verdicts: Verdicts,
): ReturnType<typeof reach> {
  const { timeoutMs } = target;
  const headers = {
    accept: "application/json",
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
  };
  return reach(urlOf(target, path), { method: "GET", headers, timeoutMs }, verdicts);
}

function identify({ status, headers, text, elapsedMs }: HttpAnswer, verdicts: Verdicts): Finding {
  const type = headers["content-type"] ?? "no content type";
  if (status >= 300 && status <= 399) {
    return verdicts.fault(
      `status ${status}, a redirect to ${headers.location ?? "nowhere"}`,
      "Set the base URL to the final address: clients send the key only there",
    );
  }
  if (/html/i.test(type)) {
    return verdicts.fault(
      `status ${status}, with an HTML page instead of JSON`,
      "This is a web site, not the lookup API: check host and path of the base URL",
    );
  }
  if (status === 404) {
    return verdicts.fault(
      "status 404",
      "/v1/ips was not found: give the base URL of lookups, not of administration, without /v1",
    );
  }
  if (status >= 500) {
    return verdicts.fault(`status ${status}`, "The service failed: check its log");
  }
  if (objectOf(text) === undefined) {
    return verdicts.fault(
      `status ${status}, ${type}, not a JSON object`,
      "This is not the lookup API: check host and path of the base URL",
    );
  }
  return verdicts.ok(`status ${status} in ${Math.round(elapsedMs)} ms`);
}

function checkClock({ headers }: HttpAnswer): Finding {
  const verdicts = about("clocks agree");
  const there = Date.parse(headers.date ?? "");
  if (Number.isNaN(there)) return verdicts.skipped("the answer has no date");
  const skewMs = Date.now() - there;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= SKEW_MS) return verdicts.ok(`within ${SKEW_MS / 1000} seconds`);
  return verdicts.warning(
    `the clock on this machine is ${seconds} seconds ${skewMs < 0 ? "behind" : "ahead of"} the service`,
    "Synchronise the clocks with NTP: certificates and expiring secrets depend on them",
  );
}

function checkLock({ status, text }: HttpAnswer, check: string): Finding {
  const verdicts = about(check);
  if (status !== 401) {
    return status === 429
      ? verdicts.skipped("the rate limit was reached: status 429")
      : verdicts.fault(`status ${status}`, "The service must answer 401: anyone can use it");
  }
  if (objectOf(text) && !isAssessment(text)) return verdicts.ok("status 401");
  return verdicts.warning(
    "status 401 with a body that is not an error object",
    `Answer with the members ${ERROR_MEMBERS.join(", ")}: some clients pass the body on`,
  );
}

/** Checks that the URL is not that of the port for administration, console and metrics. */
async function checkAdministration(target: ApiTarget): Promise<Finding> {
  const verdicts = about("administration is on another port");
  for (const path of ["admin/v1/applications", "metrics"]) {
    const reached = await ask(target, path, undefined, verdicts);
    if ("finding" in reached) return reached.finding;
    const { status, headers, text } = reached.answer;
    // Other services may respond to every unknown path with 200 or 401.
    const isGuarded = status === 401 && headers["www-authenticate"] === "Bearer";
    if (isGuarded || /^riskgate_/m.test(text)) {
      return verdicts.fault(
        `status ${status} from /${path}`,
        "Forward only the port of lookups (--port), never administration (--admin-port or --admin-socket)",
      );
    }
  }
  return verdicts.ok("neither /admin/v1 nor /metrics is found");
}

function checkKey({ status }: HttpAnswer, verdicts: Verdicts): Finding {
  if (status === 401 || status === 403) {
    return verdicts.fault(
      `status ${status}`,
      "The key is wrong, revoked, or from another service: create one with `riskgate app key`",
    );
  }
  if (status === 429) {
    return verdicts.warning(
      "status 429",
      "The key has reached its rate limit: wait, or use a key of another kind of application",
    );
  }
  if (status === 200) return verdicts.ok("status 200");
  return verdicts.fault(`status ${status}`, "Check the log of the service");
}

function checkAssessment({ status, text }: HttpAnswer, check: string): Finding {
  const verdicts = about(check);
  if (isAssessment(text)) return verdicts.ok(`score ${objectOf(text)!["risk_score"] as number}`);
  return verdicts.fault(
    `status ${status} without a \`risk_score\` from 0 to 100`,
    "Clients refuse this answer: check that the base URL is the lookup API",
  );
}

function checkRefusal({ status, text }: HttpAnswer, verdicts: Verdicts): Finding {
  const body = objectOf(text) ?? {};
  const isWhole = ERROR_MEMBERS.every((name) => Object.hasOwn(body, name));
  if (status === 400 && isWhole) return verdicts.ok("status 400 with the error body");
  return verdicts.warning(
    `status ${status}${status === 400 ? " without the error body" : ""}`,
    `The specification asks for 400 with ${ERROR_MEMBERS.join(", ")}`,
  );
}

function checkSpeed({ elapsedMs }: HttpAnswer): Finding {
  const verdicts = about("lookups are fast enough for a gate");
  const found = `${Math.round(elapsedMs)} ms`;
  if (elapsedMs <= BUDGET_MS) return verdicts.ok(found);
  return verdicts.warning(
    found,
    `A gate waits ${BUDGET_MS} ms by default: move the service closer, or raise \`budgetMs\``,
  );
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseShallowJson(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Another check reports responses that are not JSON.
    return undefined;
  }
}

function isAssessment(text: string): boolean {
  const score = objectOf(text)?.["risk_score"];
  return typeof score === "number" && score >= 0 && score <= 100;
}
