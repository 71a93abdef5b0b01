import { AssertionError } from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { createVelocity, type Reporter } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { adapterContract } from "../../../src/adapter/adapter-contract.js";
import type { GatePlanOptions } from "../../../src/adapter/adapter-harness.js";
import { CHALLENGE_SECRET } from "../../../src/adapter/known.js";
import { createFakeLookup } from "../../../src/fake/fake-lookup.js";
import { type Flaws, nodeHarness } from "../../support/node-harness.js";

const SIGNATURE = "x-service-integrity";

/** Set a header as if the sender had sent it so. */
const header =
  (name: string, value: (request: IncomingMessage) => string | undefined) =>
  (request: IncomingMessage): void => {
    const changed = value(request);
    if (changed !== undefined) request.headers[name] = changed;
  };

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Buffer | string));
  return Buffer.concat(chunks);
};
const keepRaw = async (request: IncomingMessage, change: (body: Buffer) => Buffer) => {
  Object.assign(request, { rawBody: change(await readAll(request)) });
};

/** One lookup after the other. */
function inTurn({ lookup, ...rest }: GatePlanOptions): GatePlanOptions {
  let last: Promise<unknown> = Promise.resolve();
  const queue = async <T>(ask: () => Promise<T>): Promise<T> => {
    const result = last.then(ask, ask);
    last = result.catch(() => {});
    return result;
  };
  return {
    ...rest,
    lookup: {
      lookupIp: async (ip, options) => queue(async () => lookup.lookupIp(ip, options)),
      lookupEmail: async (email, options) => queue(async () => lookup.lookupEmail(email, options)),
    },
  };
}

/** A lookup that is not told when nobody waits for it any more. */
function untold({ lookup, ...rest }: GatePlanOptions): GatePlanOptions {
  return {
    ...rest,
    lookup: {
      lookupIp: async (ip) => lookup.lookupIp(ip),
      lookupEmail: async (email) => lookup.lookupEmail(email),
    },
  };
}

const leftmost = (options: GatePlanOptions): GatePlanOptions => ({
  ...options,
  ip: (request) =>
    String((request as IncomingMessage).headers["x-forwarded-for"] ?? "").split(",")[0],
});

const withoutToken = (body: unknown): unknown => {
  const { challengeToken: _challengeToken, ...rest } = body as Record<string, unknown>;
  return rest;
};

/** A store of used tokens that forgets each at once. */
const forgetful = ({ challenge, ...options }: GatePlanOptions): GatePlanOptions => ({
  ...options,
  ...(challenge && {
    challenge: { ...challenge, seen: { evicts: false, use: () => "new", solve() {} } },
  }),
});

const kept: unknown[] = [];

/** Adapters that are wrong in one way each, with the cases that must notice. */
const BROKEN: [flaw: string, ids: string[], flaws: Flaws][] = [
  [
    "204 for everything",
    ["WHR-02", "WHR-22", "WHR-26"],
    { reply: (reply) => ({ ...reply, status: 204, body: "" }) },
  ],
  ["200 instead of 204", ["WHR-01"], { reply: (reply) => ({ ...reply, status: 200 }) }],
  [
    "the first of two signatures",
    ["WHR-03"],
    { request: header(SIGNATURE, ({ headersDistinct }) => headersDistinct[SIGNATURE]?.[0]) },
  ],
  [
    "header names in one case",
    ["WHR-04"],
    {
      request: (request) => {
        if (!request.rawHeaders.includes("X-Service-Integrity")) delete request.headers[SIGNATURE];
      },
    },
  ],
  [
    "a signature from the trailer",
    ["WHR-06"],
    {
      request: async (request) => {
        await keepRaw(request, (body) => body);
        request.headers[SIGNATURE] ??= request.trailers[SIGNATURE];
      },
    },
  ],
  [
    "underscores for hyphens",
    ["WHR-07"],
    { request: header(SIGNATURE, ({ headers }) => headers.x_service_integrity as string) },
  ],
  [
    "any method",
    ["WHR-08"],
    {
      request: (request) => {
        request.method = "POST";
      },
    },
  ],
  [
    "no word of the method that is allowed",
    ["WHR-08"],
    { reply: (reply) => ({ ...reply, headers: {} }) },
  ],
  [
    "any content type",
    ["WHR-09", "WHR-11"],
    { request: header("content-type", () => "application/json") },
  ],
  [
    "one spelling of the content type",
    ["WHR-10"],
    {
      request: (request) => {
        if (request.headers["content-type"] !== "application/json")
          request.headers["content-type"] = "text/plain";
      },
    },
  ],
  ["any content encoding", ["WHR-12"], { request: header("content-encoding", () => "identity") }],
  [
    "a body read before its length is judged",
    ["WHR-13"],
    { request: async (request) => keepRaw(request, (body) => body) },
  ],
  [
    "a limit of one byte more",
    ["WHR-14", "WHR-16"],
    {
      webhook: (options) => ({
        ...options,
        ...(options.maxBytes && { maxBytes: options.maxBytes + 1 }),
      }),
    },
  ],
  [
    "a limit that falls back",
    ["WHR-15"],
    { webhook: ({ maxBytes: _maxBytes, ...options }) => options },
  ],
  [
    "a limit of one byte less",
    ["WHR-16"],
    {
      webhook: (options) => ({
        ...options,
        ...(options.maxBytes && { maxBytes: options.maxBytes - 1 }),
      }),
    },
  ],
  [
    "a default of 1 MiB",
    ["WHR-17"],
    { webhook: (options) => ({ maxBytes: 1_048_576, ...options }) },
  ],
  [
    "a body time of its own",
    ["WHR-18"],
    { webhook: (options) => ({ ...options, bodyTimeoutMs: 15_000 }) },
  ],
  [
    "promises that it keeps",
    ["WHR-19"],
    {
      request: (request) => {
        kept.push(new Promise((resolve) => request.once("never", resolve)));
      },
    },
  ],
  [
    "a verdict over JSON written again",
    ["WHR-20"],
    {
      request: async (request) => {
        await keepRaw(request, rewritten);
      },
    },
  ],
  [
    "an empty array for an empty body",
    ["WHR-21"],
    {
      request: async (request) => {
        await keepRaw(request, (body) => (body.length > 0 ? body : Buffer.from("[]")));
      },
    },
  ],
  [
    "JSON parsed before the verdict",
    ["WHR-29"],
    {
      request: async (request) => {
        await keepRaw(request, (body) => {
          JSON.parse(body.toString());
          return body;
        });
      },
    },
  ],
  [
    "JSON of a well-formed signature parsed before the verdict",
    ["WHR-29"],
    {
      request: async (request) => {
        if (!/^[0-9a-f]{64}$/.test(String(request.headers[SIGNATURE]))) return;
        await keepRaw(request, (body) => {
          JSON.parse(body.toString());
          return body;
        });
      },
    },
  ],
  [
    "a body time of its own for refused bodies",
    ["WHR-36"],
    {
      webhook: (options) =>
        options.bodyTimeoutMs ? { ...options, bodyTimeoutMs: 15_000 } : options,
    },
  ],
  [
    "refused bodies that run on",
    ["WHR-36"],
    { webhook: ({ maxBytes: _maxBytes, ...options }) => options },
  ],
  [
    "no bound for all bodies",
    ["WHR-37"],
    { webhook: ({ maxTotalBytes: _maxTotalBytes, ...options }) => options },
  ],
  [
    "text of a stream for bytes",
    ["WHR-38"],
    { request: async (request) => keepRaw(request, (body) => Buffer.from(String(body))) },
  ],
  [
    "nothing of what a host has kept",
    ["WHR-39"],
    { request: (request) => void Object.assign(request, { rawBody: undefined }) },
  ],
  [
    "text that a host has kept",
    ["WHR-39"],
    {
      request: (request) => {
        const { rawBody } = request as { rawBody?: unknown };
        if (typeof rawBody === "string") Object.assign(request, { rawBody: Buffer.from(rawBody) });
      },
    },
  ],
  [
    "the body in its answer",
    ["WHR-22"],
    {
      reply: (reply, request) => ({
        ...reply,
        body: `${reply.body}${String((request as { rawBody?: unknown }).rawBody)}`,
      }),
      request: async (request) => keepRaw(request, (body) => body),
    },
  ],
  [
    "the code of a failure alone",
    ["WHR-26"],
    { reply: (reply) => ({ ...reply, body: '{"code":"HANDLER_FAILED","stack":"at"}' }) },
  ],
  [
    "a handler time of its own",
    ["WHR-27"],
    { webhook: (options) => ({ ...options, handlerTimeoutMs: 15_000 }) },
  ],
  ["a second answer", ["WHR-27"], { trailing: "HTTP/1.1 204 No Content\r\n\r\n" }],
  [
    "a hint at what was wrong",
    ["WHR-28"],
    {
      reply: (reply, { headers }) => ({
        ...reply,
        headers: { ...reply.headers, "x-length": String(headers[SIGNATURE]?.length) },
      }),
    },
  ],
  [
    "one secret for all routes",
    ["WHR-31"],
    { webhook: (options) => ({ ...options, secrets: ["hook-secret-1", "hook-secret-2"] }) },
  ],
  [
    "text for bytes",
    ["WHR-33", "WHR-20"],
    { request: async (request) => keepRaw(request, (body) => Buffer.from(body.toString())) },
  ],
  [
    "a handler for all",
    ["WHR-35"],
    {
      webhook: (options) => ({
        ...options,
        on: { ...options.on, unknown: () => undefined },
      }),
    },
  ],
  ["80 and above", ["GAT-01"], { gate: (options) => ({ ...options, rejectAbove: 79.9 }) }],
  ["above 81", ["GAT-01"], { gate: (options) => ({ ...options, rejectAbove: 81 }) }],
  ["the email alone", ["GAT-02"], { gate: (options) => ({ ...options, ip: () => undefined }) }],
  ["the address alone", ["GAT-02"], { body: () => ({}) }],
  [
    "the score in its answer",
    ["GAT-03"],
    { reply: (reply) => ({ ...reply, headers: { ...reply.headers, "x-score": "97" } }) },
  ],
  [
    "its own errors",
    ["GAT-04", "GAT-15", "GAT-20"],
    { gate: ({ onError: _onError, ...options }) => options },
  ],
  [
    "allow when in doubt",
    ["GAT-04", "GAT-14", "GAT-20", "GAT-22"],
    { gate: (options) => ({ ...options, whenUnavailable: "allow" }) },
  ],
  ["its own time", ["GAT-05", "GAT-23"], { gate: (options) => ({ ...options, budgetMs: 9000 }) }],
  ["lookups in turn", ["GAT-06"], { gate: inTurn }],
  [
    "an email that is always there",
    ["GAT-07"],
    { gate: (options) => ({ ...options, email: () => "a@x.y" }) },
  ],
  [
    "an email made a string",
    ["GAT-08"],
    { body: (body) => ({ email: String((body as { email?: unknown })?.email) }) },
  ],
  ["the outermost address", ["GAT-09", "GAT-11"], { gate: leftmost }],
  [
    "mapped addresses as they are",
    ["GAT-10"],
    { gate: (options) => ({ ...options, lookup: createFakeLookup(), lookupPrivateIps: true }) },
  ],
  ["addresses as they stand", ["GAT-13"], { gate: leftmost }],
  [
    "addresses it guesses",
    ["GAT-14"],
    { gate: (options) => ({ ...options, ip: () => "8.8.8.8" }) },
  ],
  ["lookups that nobody ends", ["GAT-16"], { gate: untold }],
  [
    "a gate that shares nothing",
    ["GAT-17"],
    {
      plan: (plan) => plan,
      body: (body) => body,
      gate: (options) => ({
        ...options,
        lookup: {
          ...options.lookup,
          lookupIp: async (ip) => {
            await options.lookup.lookupIp(ip);
            return options.lookup.lookupIp(ip);
          },
        },
      }),
    },
  ],
  [
    "handlers that run twice",
    ["GAT-17", "GAT-18"],
    {
      handle: (handle) => {
        handle();
        handle();
      },
    },
  ],
  ["handlers that do not run", ["GAT-18"], { handle: () => {} }],
  [
    "bodies that it keeps",
    ["WHR-29"],
    {
      request: async (request) =>
        keepRaw(request, (body) => {
          kept.push(body);
          return body;
        }),
    },
  ],
  [
    "requests that it keeps",
    ["LIF-06"],
    {
      gate: (options) => ({
        ...options,
        skip: (request) => {
          kept.push(request);
          return false;
        },
      }),
    },
  ],
  [
    "logins that always succeed",
    ["LGN-01", "LGN-04", "LGN-05", "LGN-06"],
    { login: (options) => ({ ...options, success: () => true }) },
  ],
  [
    "an account of its own",
    ["LGN-02", "LGN-03"],
    { login: (options) => ({ ...options, account: () => "a@x.y" }) },
  ],
  ["no velocity", ["VEL-08"], { gate: ({ velocity: _velocity, ...options }) => options }],
  [
    "a velocity of its own for each login",
    ["VEL-09"],
    {
      login: (options) =>
        options.velocity
          ? { ...options, velocity: createVelocity({ counts: "failed_logins" }) }
          : options,
    },
  ],
  [
    "logins that never succeed",
    ["VEL-13"],
    {
      login: (options) => (options.velocity ? { ...options, success: () => false } : options),
    },
  ],
  [
    "accounts that are text only",
    ["VEL-14"],
    {
      login: (options) => ({
        ...options,
        account: (body) => {
          const { email } = body as { email?: unknown };
          return typeof email === "string" ? email : undefined;
        },
      }),
    },
  ],
  [
    "origins that are not trusted",
    ["LGN-09", "VEL-15"],
    {
      gate: ({ trustedOrigins: _trustedOrigins, ...options }) => options,
      login: ({ trustedOrigins: _trustedOrigins, ...options }) => options,
    },
  ],
  [
    "logins that are reported twice",
    ["LGN-07"],
    {
      login({ reporter, ...options }) {
        if (!reporter) return options;
        const login: Reporter["login"] = (report) => {
          reporter.login(report);
          reporter.login(report);
        };
        return { ...options, reporter: { ...reporter, login } };
      },
    },
  ],
  [
    "failures of a reporter that nobody hears of",
    ["LGN-08"],
    { login: ({ onError: _onError, ...options }) => ({ ...options, onError() {} }) },
  ],
  [
    "no challenges",
    ["CHL-01", "CHL-10"],
    {
      gate: ({ challengeAbove: _challengeAbove, ...options }) => ({
        ...options,
        whenUnavailable: "allow",
      }),
    },
  ],
  [
    "challenges that caches keep",
    ["CHL-01"],
    {
      reply: ({ headers, ...reply }) => ({
        ...reply,
        headers: { ...headers, "cache-control": "" },
      }),
    },
  ],
  ["bodies without the token of a form", ["CHL-02"], { body: withoutToken }],
  ["a store that forgets", ["CHL-03", "CHL-11"], { gate: forgetful }],
  ["one path for all routes", ["CHL-04"], { url: () => "/" }],
  [
    "one address for all clients",
    ["CHL-04"],
    { gate: (options) => ({ ...options, ip: () => "8.8.8.8" }) },
  ],
  [
    "the secret of another gate too",
    ["CHL-05"],
    {
      gate: (options) => ({
        ...options,
        challenge: { secrets: [CHALLENGE_SECRET, CHALLENGE_SECRET.toUpperCase()] },
      }),
    },
  ],
  [
    "answers that it confirms by itself",
    ["CHL-06"],
    { gate: (options) => ({ ...options, verifyChallenge: () => true }) },
  ],
  [
    "its own challenges",
    ["CHL-07"],
    { gate: ({ onChallenge: _onChallenge, ...options }) => options },
  ],
  [
    "passes for what a list refuses",
    ["CHL-08"],
    { gate: ({ deny: _deny, ...options }) => ({ ...options, rejectAbove: 100 }) },
  ],
  [
    "a store of its own",
    ["CHL-09", "CHL-11"],
    {
      gate: (options) =>
        options.challenge ? { ...options, challenge: { secrets: CHALLENGE_SECRET } } : options,
    },
  ],
  ["no headers of steps", ["GAT-24"], { dropsHeaders: true }],
  ["its own refusals", ["GAT-23"], { gate: ({ onReject: _onReject, ...options }) => options }],
  [
    "a gate for all routes",
    ["ADP-02"],
    {
      plan: (plan) => ({
        ...plan,
        siblings: [],
        gates: plan.gates.flatMap((gate) => [
          gate,
          ...plan.siblings.map((path) => ({ ...gate, path })),
        ]),
      }),
    },
  ],
  [
    "another charset",
    ["ADP-01"],
    {
      reply: (reply) => ({
        ...reply,
        headers: { ...reply.headers, "content-type": "application/problem+json" },
      }),
    },
  ],
  [
    "no parsers for others",
    ["R12"],
    { plan: (plan) => (plan.gates.length > 0 ? { ...plan, siblings: [] } : plan) },
  ],
  ["servers that it keeps", ["WHR-01", "GAT-03"], { close: async () => {} }],
  [
    "a log with its secrets",
    ["WHR-01"],
    {
      plan: (plan) => {
        plan.log("hook-secret-1");
        return plan;
      },
    },
  ],
  [
    "a log with digests",
    ["WHR-01"],
    {
      plan: (plan) => {
        plan.log("b3a2ea2d8b4c0975a27724097d7d8d88cda8257dc945cdb0cb28770a4bb255c1");
        return plan;
      },
    },
  ],
];

function rewritten(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  } catch {
    return body;
  }
}

describe("adapterContract", () => {
  it.each(BROKEN)("notices %s", async (_, ids, flaws) => {
    // A check that waits for what never comes shall not wait long.
    const harness = { ...nodeHarness(flaws), patienceMs: 1000 };
    for (const id of ids) {
      const failed: unknown[] = [];
      for (const check of adapterContract.filter((candidate) => candidate.id === id)) {
        await check.run(harness).catch((error: unknown) => failed.push(error));
        if (failed.length > 0) break;
      }
      expect(failed, id).toHaveLength(1);
      expect(failed[0], id).toBeInstanceOf(AssertionError);
    }
  });
});
