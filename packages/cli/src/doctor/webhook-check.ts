import { randomBytes } from "node:crypto";
import { sign, SIGNATURE_HEADER } from "@riskgate/core";
import type { HttpAnswer } from "../http/http-exchange.js";
import { sampleTest } from "../webhook/sample-payload.js";
import { about, type Finding, type Verdicts } from "./finding.js";
import { isBrokenOff, reach, type Reached } from "./reach.js";

export interface WebhookTarget {
  readonly url: URL;
  readonly secret: string | undefined;
  readonly timeoutMs: number;
  /** Size of the sender's largest delivery, in bytes. */
  readonly maxBytes: number;
}

/** Senders stop waiting after 10 seconds; half of that is too close to the limit. */
const SLOW_MS = 5_000;

const PAYLOADS = 1000;

/** Checks a webhook from outside. A fault that would hide others is checked first. */
export async function* checkWebhook(target: WebhookTarget): AsyncGenerator<Finding> {
  const body = Buffer.from(JSON.stringify([testPayload()]));
  const unsigned = about("an unsigned delivery is refused");
  const first = await post(target, body, undefined, unsigned);
  const lock = "finding" in first ? first.finding : checkLock(first.answer, unsigned);
  yield lock;
  if ("finding" in first || isElsewhere(first.answer)) return;

  const forged = about("a wrong signature is refused");
  const second = await post(target, body, sign(body, randomBytes(16).toString("hex")), forged);
  yield "finding" in second ? second.finding : checkLock(second.answer, forged);

  const signed = about("a signed test payload is accepted");
  if (target.secret === undefined) {
    yield signed.skipped("no secret was given: set RISKGATE_SIGNING_SECRET, or give --secret-file");
    return;
  }
  const third = await post(target, body, sign(body, target.secret), signed);
  const accepted = "finding" in third ? third.finding : checkAccepted(third.answer, signed);
  yield accepted;
  if (accepted.state === "fault" || "finding" in third) return;
  yield checkSpeed(third.answer);

  const strange = about("a payload of an unknown type does not affect the others");
  const mixed = Buffer.from(JSON.stringify([{ service_payload_type: "doctor" }, testPayload()]));
  const fourth = await post(target, mixed, sign(mixed, target.secret), strange);
  yield "finding" in fourth ? fourth.finding : checkTolerance(fourth.answer, strange);

  const full = about("a full-size delivery is accepted");
  const large = fullBody(target.maxBytes);
  const last = await post(target, large, sign(large, target.secret), full);
  yield checkFull(last, large.length, full);
}

function testPayload(): object {
  return sampleTest(Date.now());
}

/** Repeats one payload, so that a receiver that recognises duplicates handles it once. */
function fullBody(maxBytes: number): Buffer {
  const payload = { ...testPayload(), padding: "" };
  const bytes = Buffer.byteLength(JSON.stringify(payload)) + 1;
  const padding = "x".repeat(Math.max(0, Math.floor((maxBytes - 1) / PAYLOADS) - bytes));
  return Buffer.from(
    JSON.stringify(Array.from({ length: PAYLOADS }, () => ({ ...payload, padding }))),
  );
}

function post(
  { url, timeoutMs }: WebhookTarget,
  body: Buffer,
  signature: string | undefined,
  verdicts: Verdicts,
): Promise<Reached> {
  const headers = {
    "content-type": "application/json",
    ...(signature !== undefined && { [SIGNATURE_HEADER]: signature }),
  };
  return reach(url, { method: "POST", headers, body, timeoutMs }, verdicts);
}

/** Returns true if the response shows that the webhook is not at this address. */
function isElsewhere({ status }: HttpAnswer): boolean {
  return (status >= 300 && status <= 399) || status === 404 || status === 405;
}

function checkLock(answer: HttpAnswer, verdicts: Verdicts): Finding {
  const { status } = answer;
  if (status === 401) return verdicts.ok("status 401");
  if (status >= 200 && status <= 299) {
    return verdicts.fault(
      `status ${status}: anyone can deliver`,
      "Verify the signature over the raw body before anything else, as `webhookRoute` does",
    );
  }
  return (
    misplaced(answer, verdicts) ??
    verdicts.warning(
      `status ${status}`,
      "It is refused, but not with 401: check that the signature is the reason",
    )
  );
}

/** Next steps for the statuses of a route that is missing or expects other requests. */
const ROUTE_REMEDIES: Readonly<Record<number, string>> = {
  404: "No route was found: check the path of the webhook URL",
  405: "The route does not accept POST: check the path, and the method of the route",
  415: "The route does not accept application/json: check its parser",
};

function misplaced({ status, headers, text }: HttpAnswer, verdicts: Verdicts): Finding | undefined {
  if (status >= 300 && status <= 399) {
    const where = headers.location ?? "nowhere";
    return verdicts.fault(
      `status ${status}, a redirect to ${where}`,
      "Senders do not follow redirects: set the webhook URL to the final address, including its trailing slash",
    );
  }
  const remedy = ROUTE_REMEDIES[status];
  if (remedy !== undefined) return verdicts.fault(`status ${status}`, remedy);
  if (/RAW_BODY_UNAVAILABLE/.test(text)) {
    return verdicts.fault(
      `status ${status}: the raw body is not available`,
      "Mount the webhook route before any body parser, or exclude its path from the parser",
    );
  }
  return status >= 500
    ? verdicts.fault(`status ${status}`, "The application failed: check its log")
    : undefined;
}

function checkAccepted(answer: HttpAnswer, verdicts: Verdicts): Finding {
  const { status } = answer;
  if (status >= 200 && status <= 299) return verdicts.ok(`status ${status}`);
  if (status === 401 || status === 403) {
    return verdicts.fault(
      `status ${status}`,
      "The application has another secret, or does not verify the bytes it received: compare the " +
        "secrets, and verify over the raw body",
    );
  }
  return (
    misplaced(answer, verdicts) ??
    verdicts.fault(`status ${status}`, "Senders take only 200 to 299 for success")
  );
}

function checkSpeed({ elapsedMs }: HttpAnswer): Finding {
  const verdicts = about("the answer comes in time");
  const found = `${Math.round(elapsedMs)} ms`;
  if (elapsedMs <= SLOW_MS) return verdicts.ok(found);
  return verdicts.warning(
    found,
    "A sender stops waiting after 10 seconds: store the delivery first, as an inbox does, and handle it afterwards",
  );
}

function checkTolerance({ status }: HttpAnswer, verdicts: Verdicts): Finding {
  if (status >= 200 && status <= 299) return verdicts.ok(`status ${status}`);
  return verdicts.warning(
    `status ${status}`,
    "Skip unknown types: otherwise one payload of a new type makes a whole delivery fail",
  );
}

function checkFull(reached: Reached, bytes: number, verdicts: Verdicts): Finding {
  const size = `${PAYLOADS} payloads, ${bytes} bytes`;
  const remedy =
    `Raise the limits of the application and of any proxy to ${bytes} bytes, or have the sender ` +
    "make smaller deliveries";
  if ("finding" in reached) {
    const { finding } = reached;
    return isBrokenOff(finding)
      ? verdicts.fault(`${size}: the connection was closed early`, remedy)
      : verdicts.fault(`${size}: ${finding.found}`, finding.remedy ?? remedy);
  }
  const { status } = reached.answer;
  if (status >= 200 && status <= 299) return verdicts.ok(`status ${status} for ${size}`);
  if (status === 413) return verdicts.fault(`status 413 for ${size}`, remedy);
  return verdicts.fault(`status ${status} for ${size}`, "Check the log of the application");
}
