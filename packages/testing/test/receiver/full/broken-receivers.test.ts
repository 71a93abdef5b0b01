import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { parseDelivery } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { runConformance } from "../../../src/conformance/run-conformance.js";
import { receiverContract } from "../../../src/receiver/receiver-contract.js";
import { serveHttp } from "../../../src/http/serve-http.js";

const SECRET = "conformance-secret-1";
const LIMIT_BYTES = 5 * 1024 * 1024;

/** What a receiver knows of a request. */
interface Facts {
  readonly request: IncomingMessage;
  readonly method: string | undefined;
  readonly body: Buffer;
  readonly text: string;
  /** Values of the signature header. */
  readonly lines: readonly string[];
  readonly digest: string;
  readonly isSigned: boolean;
  readonly isGzip: boolean;
  /** The headers of Standard Webhooks are missing, or one of their signatures is right. */
  readonly isStandard: boolean;
  /** The delivery has no time, or one within five minutes. */
  readonly isTimely: boolean;
}

/** A status in the place of the right one; undefined leaves it. */
type Flaw = (facts: Facts) => number | undefined;

const hmac = (body: Buffer): string => createHmac("sha256", SECRET).update(body).digest("hex");

/** The right status of a request. */
function statusOf({ method, body, lines, isSigned, isGzip, isStandard, isTimely }: Facts): number {
  if (method !== "POST") return 405;
  if (isGzip) return 415;
  if (body.length > LIMIT_BYTES) return 413;
  if (!isSigned || lines.length !== 1 || !isStandard || !isTimely) return 401;
  try {
    parseDelivery(body);
    return 204;
  } catch {
    return 400;
  }
}

function isStandardOrPlain({ headers }: IncomingMessage, body: Buffer): boolean {
  const { "webhook-id": id = "", "webhook-timestamp": time, "webhook-signature": given } = headers;
  if (given === undefined) return true;
  const digest = createHmac("sha256", SECRET).update(`${String(id)}.${String(time)}.`);
  const right = `v1,${digest.update(body).digest("base64")}`;
  return id !== "" && String(given).split(" ").includes(right);
}

function factsOf(request: IncomingMessage, body: Buffer): Facts {
  const time = request.headers["webhook-timestamp"];
  const lines = request.headersDistinct["x-service-integrity"] ?? [];
  const digest = hmac(body);
  return {
    request,
    method: request.method,
    body,
    text: body.subarray(0, 10_000).toString(),
    lines,
    digest,
    isSigned: lines.includes(digest),
    isGzip: request.headers["content-encoding"] === "gzip",
    isStandard: isStandardOrPlain(request, body),
    isTimely: time === undefined || Math.abs(Date.now() / 1000 - Number(time)) < 301,
  };
}

/** A receiver with a flaw, for the length of the test. */
async function serveFlawed(flaw: Flaw): Promise<URL> {
  const app = await serveHttp(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      let crumbs = 0;
      for await (const chunk of request as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        // A body that comes byte by byte.
        if (chunk.length < 100 && ++crumbs === 10) request.destroy();
      }
      const facts = factsOf(request, Buffer.concat(chunks));
      response.writeHead(flaw(facts) ?? statusOf(facts)).end();
    } catch {
      request.destroy();
    }
  });
  onTestFinished(async () => app.close());
  return new URL(`http://127.0.0.1:${app.port}/`);
}

async function brokenBy(flaw: Flaw): Promise<string[]> {
  const target = { url: await serveFlawed(flaw), secret: SECRET, timeoutMs: 40_000 };
  const ids: string[] = [];
  for await (const { id, state } of runConformance(receiverContract, target, { strict: true })) {
    if (state !== "passed") ids.push(id);
  }
  return ids;
}

const seen = new Set<string>();

/** Flaws with the cases that have to notice them: those and no others. */
const FLAWS: [flaw: string, ids: string[], status: Flaw][] = [
  ["none", [], () => undefined],
  [
    "no responses",
    ["RCV-02", "RCV-25"],
    ({ isSigned, text }) => (isSigned && /"security_response"/.test(text) ? 500 : undefined),
  ],
  [
    "no unknown kind",
    ["RCV-04"],
    ({ isSigned, text }) => (isSigned && /conformance_kind/.test(text) ? 422 : undefined),
  ],
  [
    "nothing twice",
    ["RCV-05"],
    ({ isSigned, text, digest }) => {
      if (!isSigned || !/"event_id"/.test(text)) return undefined;
      if (seen.has(digest)) return 409;
      seen.add(digest);
      return undefined;
    },
  ],
  [
    "no more than 100 kB",
    ["RCV-06", "RCV-30", "RCV-31"],
    ({ body }) => (body.length > 100_000 ? 413 : undefined),
  ],
  [
    "the name of the header in one case",
    ["RCV-08"],
    ({ request }) =>
      request.rawHeaders.some((name) => /^x-service-integrity$/i.test(name)) &&
      !request.rawHeaders.includes("X-Service-Integrity")
        ? 401
        : undefined,
  ],
  [
    "hex that is decoded first",
    ["RCV-10", "RCV-17"],
    ({ lines, digest, isSigned, isGzip }) =>
      !isSigned &&
      !isGzip &&
      lines.length === 1 &&
      Buffer.from(lines.join(), "hex").toString("hex") === digest
        ? 204
        : undefined,
  ],
  [
    "the first digits alone",
    ["RCV-11"],
    // Not in upper case, which digits without a letter look like.
    ({ lines: [line = ""], digest, isSigned }) =>
      !isSigned && /^[0-9a-f]{64}$/.test(line) && line.startsWith(digest.slice(0, 8))
        ? 204
        : undefined,
  ],
  [
    "an empty array without a look at the signature",
    ["RCV-13"],
    ({ text }) => (text === "[]" ? 204 : undefined),
  ],
  [
    "trust in what is compressed",
    ["RCV-14", "RCV-27"],
    ({ isGzip, method }) => (isGzip && method === "POST" ? 204 : undefined),
  ],
  ["403 instead of 401", ["RCV-16"], (facts) => (statusOf(facts) === 401 ? 403 : undefined)],
  [
    "a signed body acknowledged that is not an array",
    ["RCV-18", "RCV-19"],
    ({ isSigned, text, method }) =>
      isSigned && method === "POST" && text.startsWith("{") ? 200 : undefined,
  ],
  [
    "500 for a body that is not JSON",
    ["RCV-19"],
    (facts) => (statusOf(facts) === 400 ? 500 : undefined),
  ],
  [
    "no null among payloads",
    ["RCV-24"],
    ({ isSigned, text }) => (isSigned && /,null,/.test(text) ? 400 : undefined),
  ],
  [
    "an event only with ips",
    ["RCV-25"],
    ({ isSigned, text }) =>
      isSigned && /"security_event"/.test(text) && !/"ips"/.test(text) ? 400 : undefined,
  ],
  [
    "gzip unpacked and verified",
    ["RCV-27"],
    ({ isGzip, body, lines, isSigned }) =>
      isGzip && body.length < 1000 && (isSigned || lines[0] === hmac(gunzipSync(body)))
        ? 204
        : undefined,
  ],
  ["a greeting", ["RCV-28"], ({ method }) => (method === "GET" ? 200 : undefined)],
  [
    "only known headers",
    ["RCV-34"],
    ({ request }) => ("webhook-id" in request.headers ? 400 : undefined),
  ],
  [
    "no look at the second signature",
    ["RCV-35"],
    ({ isSigned, isStandard, isTimely }) => (isSigned && isTimely && !isStandard ? 204 : undefined),
  ],
  [
    "no look at the time",
    ["RCV-36"],
    ({ isSigned, isStandard, isTimely }) => (isSigned && isStandard && !isTimely ? 204 : undefined),
  ],
  [
    "no chunks",
    ["RCV-29"],
    ({ request }) => (request.headers["transfer-encoding"] ? 411 : undefined),
  ],
];

describe("receiverContract", () => {
  it.each(FLAWS)("notices %s", async (_, ids, flaw) => {
    expect(await brokenBy(flaw)).toEqual(ids);
  });
});
