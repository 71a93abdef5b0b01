import { equal, ok } from "node:assert/strict";
import * as v8 from "node:v8";
import type { TestPayload } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { growthMiB, settledMemory } from "../base/memory.js";
import { createPayloads } from "../delivery/payloads.js";
import { pause, until } from "../base/process-watch.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequest, rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck, type Stage } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import {
  codeOf,
  collecting,
  deliver,
  deliveryRequest,
  HOOK,
  JSON_TYPE,
  type Lines,
  signedBy,
  V3,
  V3_LINES,
} from "./known.js";

const MIB = 1_048_576;
const CHUNKED = ["Transfer-Encoding", "chunked"] as const;

/** Checks of bodies of any size and speed, complete or not. */
export const bodyChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck("WHR-14", "stops a chunked body one byte past the limit", async ({ serve }) => {
    const seen: TestPayload[] = [];
    // An adapter that waits for the rest of the body fails the check.
    const options = collecting(seen, { maxBytes: MIB, bodyTimeoutMs: 60_000 });
    const port = await serve({ webhooks: [{ path: HOOK, options }] });
    const connection = await openRawConnection(port);
    connection.write(rawRequestBytes({ path: HOOK, headers: [...V3_LINES, CHUNKED] }));
    const before = settledMemory();
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, 32), CRLF]);
    for (let sent = 0; sent < MIB; sent += 65_536) connection.write(chunk);
    connection.write("1\r\n \r\n");
    const answer = await connection.answer();
    equal(answer.status, 413);
    equal(codeOf(answer), "BODY_TOO_LARGE");
    // A sender that ignores the response gains nothing by sending more.
    for (let more = 0; more < 64 && !connection.socket.destroyed; more++) {
      connection.write(chunk);
      await pause(1);
    }
    await connection.closed;
    const growth = growthMiB(before, "arrayBuffers") ?? 0;
    ok(growth < 1 + 1 / 16, `buffers grew by ${growth} MiB`);
    equal(seen.length, 0);
  }),
  adapterCheck("WHR-16", "accepts a body of exactly the limit", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const maxBytes = 4096;
    const port = await serve({
      webhooks: [{ path: HOOK, options: collecting(seen, { maxBytes }) }],
    });
    const { test } = createPayloads("WHR-16");
    const text = JSON.stringify([test(), test(), test()]).padEnd(maxBytes, " ");
    equal((await deliver(port, text)).status, 204);
    equal(seen.length, 3);
    equal((await deliver(port, `${text} `)).status, 413);
    equal(seen.length, 3);
  }),
  adapterCheck("WHR-17", "accepts 1,000 events of 4 KiB by default", async ({ serve }) => {
    let handled = 0;
    const options = { secrets: "hook-secret-1", on: { security_event: () => void handled++ } };
    const port = await serve({ webhooks: [{ path: HOOK, options }] });
    const { securityEvent } = createPayloads("WHR-17");
    const padding = "x".repeat(4096 - JSON.stringify(securityEvent({ note: "" })).length - 1);
    const events = Array.from({ length: 1000 }, () => securityEvent({ note: padding }));
    const request = deliveryRequest(events);
    equal(Math.round(request.body.length / 4096), 1000);
    equal((await rawRequest(port, request)).status, 204);
    equal(handled, 1000);
  }),
  adapterCheck("WHR-18", "aborts a body that arrives byte by byte", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({
      webhooks: [{ path: HOOK, options: collecting(seen, { bodyTimeoutMs: 300 }) }],
    });
    const connection = await openRawConnection(port);
    const head = rawRequestBytes({
      path: HOOK,
      headers: [...V3_LINES, ["Content-Length", String(V3.body.length)]],
    });
    const startedMs = performance.now();
    connection.write(head);
    let at = 0;
    // The body is complete, and accepted, 660 ms after the head at the earliest.
    const drip = setInterval(() => connection.write(V3.body.charAt(at++) || " "), 20);
    try {
      const answer = await connection.answer();
      const tookMs = performance.now() - startedMs;
      equal(answer.status, 408);
      equal(codeOf(answer), "BODY_TIMEOUT");
      ok(tookMs >= 295, `took ${tookMs} ms`);
      await connection.closed;
    } finally {
      clearInterval(drip);
      connection.destroy();
    }
    equal(seen.length, 0);
  }),
  adapterCheck(
    "WHR-19",
    "releases senders that disconnect in the middle of a body",
    async ({ serve, patienceMs }) => {
      const seen: TestPayload[] = [];
      const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
      const leave = async (): Promise<void> => {
        const connection = await openRawConnection(port);
        const length = ["Content-Length", "100"] as const;
        connection.write(rawRequestBytes({ path: HOOK, headers: [...V3_LINES, length] }));
        connection.write(" ".repeat(50));
        await pause(2);
        connection.destroy();
        await connection.closed;
      };
      for (let warm = 0; warm < 5; warm++) await leave();
      await pause(50);
      const before = promisesAlive();
      for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, leave));
      let left = Infinity;
      await until(() => (left = promisesAlive() - before) < 50, patienceMs);
      ok(left < 50, `${left} promises are left of 200 deliveries`);
      equal(seen.length, 0);
    },
    60_000,
  ),
  adapterCheck("WHR-21", "verifies the signature of an empty body", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const empty = deliveryRequest("");
    for (const framing of [{}, { trailers: [] }]) {
      const signed = await rawRequest(port, { ...empty, ...framing });
      equal(signed.status, 400);
      equal(codeOf(signed), "INVALID_JSON");
      const headers = [JSON_TYPE, signedBy(V3.digest)];
      const forged = await rawRequest(port, { ...empty, headers, ...framing });
      equal(forged.status, 401);
    }
    equal(seen.length, 0);
  }),
  adapterCheck("WHR-29", "parses nothing of a flood of unsigned bodies", flood([]), 300_000),
  adapterCheck(
    "WHR-29",
    "parses nothing of a flood of bodies with a made-up signature",
    flood([signedBy("0".repeat(64))]),
    300_000,
  ),
];

const CRLF = Buffer.from("\r\n");

function flood(lines: Lines): (stage: Stage) => Promise<void> {
  return async ({ serve, harness, patienceMs }) => {
    const { floodRequests = 10_000 } = harness;
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const body = Buffer.from(JSON.stringify([{ note: "x".repeat(MIB - 13) }]));
    equal(body.length, MIB);
    const bytes = rawRequestBytes({ path: HOOK, headers: [JSON_TYPE, ...lines], body });
    const parse = JSON.parse;
    let parsed = 0;
    const send = async (requests: number): Promise<void> => {
      const connection = await openRawConnection(port);
      for (let sent = 0; sent < requests; sent++) {
        connection.write(bytes);
        equal((await connection.answer()).status, 401);
      }
      connection.destroy();
      await connection.closed;
    };
    const lanes = 8;
    await Promise.all(Array.from({ length: lanes }, () => send(4)));
    const before = settledMemory();
    JSON.parse = (...given: Parameters<typeof parse>): unknown => {
      parsed++;
      return parse(...given) as unknown;
    };
    try {
      await Promise.all(Array.from({ length: lanes }, () => send(floodRequests / lanes)));
    } finally {
      JSON.parse = parse;
    }
    equal(parsed, 0, "JSON was parsed");
    equal(seen.length, 0);
    // Referenced bytes: resident memory would include what the allocator has not returned yet.
    const kept = (): number =>
      (growthMiB(before, "heapUsed") ?? 0) + (growthMiB(before, "external") ?? 0);
    await until(() => kept() < 16, patienceMs);
    ok(kept() < 16, `${kept()} MiB are kept`);
  };
}

function promisesAlive(): number {
  return v8.queryObjects(Promise, { format: "count" });
}
