import { deepEqual, equal, ok } from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import type { TestPayload } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { pause } from "../base/process-watch.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequest, rawRequestBytes } from "../http/raw-request.js";
import { signDelivery } from "../delivery/sign-delivery.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import {
  codeOf,
  collecting,
  deliver,
  HOOK,
  JSON_TYPE,
  K,
  signedBy,
  V3,
  V3_LINES,
} from "./known.js";

const MIB = 1_048_576;
const CHUNKED = ["Transfer-Encoding", "chunked"] as const;
const CRLF = Buffer.from("\r\n");
const V3_BYTES = Buffer.from(V3.body);

/** Checks of hostile bodies, and of bodies that a host has read before. */
export const streamChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck("WHR-36", "reads the rest of a refused body up to the limit", async ({ serve }) => {
    const options = collecting([], { maxBytes: MIB, bodyTimeoutMs: 60_000 });
    const port = await serve({ webhooks: [{ path: HOOK, options }] });
    const connection = await openRawConnection(port);
    connection.write(rawRequestBytes({ path: HOOK, headers: [JSON_TYPE, CHUNKED] }));
    equal((await connection.answer()).status, 401);
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, 32), CRLF]);
    for (let sent = 0; sent < MIB; sent += 65_536) connection.write(chunk);
    await pause(50);
    ok(!connection.socket.destroyed, "the connection ended within the limit");
    // Without a limit, the connection would stay open and fail the check.
    connection.write("1\r\n \r\n");
    await connection.closed;
  }),
  adapterCheck(
    "WHR-36",
    "reads the rest of a refused body for a limited time",
    async ({ serve }) => {
      const options = collecting([], { bodyTimeoutMs: 300 });
      const port = await serve({ webhooks: [{ path: HOOK, options }] });
      const connection = await openRawConnection(port);
      const startedMs = performance.now();
      connection.write(rawRequestBytes({ path: HOOK, headers: [JSON_TYPE, CHUNKED] }));
      equal((await connection.answer()).status, 401);
      const drip = setInterval(() => connection.write("1\r\n \r\n"), 20);
      try {
        await connection.closed;
      } finally {
        clearInterval(drip);
        connection.destroy();
      }
      const tookMs = performance.now() - startedMs;
      ok(tookMs >= 295, `took ${tookMs} ms`);
    },
  ),
  adapterCheck(
    "WHR-37",
    "limits the memory of all bodies together",
    async ({ serve, patienceMs }) => {
      const seen: TestPayload[] = [];
      const errors: string[] = [];
      const onError = ({ code }: { code: string }): void => void errors.push(code);
      const limits = { maxBytes: 1000, maxTotalBytes: 1000, bodyTimeoutMs: 60_000, onError };
      const options = collecting(seen, limits);
      const port = await serve({ webhooks: [{ path: HOOK, options }] });
      const holder = await openRawConnection(port);
      const made = [JSON_TYPE, signedBy("0".repeat(64)), ["Content-Length", "1000"] as const];
      holder.write(rawRequestBytes({ path: HOOK, headers: made, body: " ".repeat(990) }));
      const answer = holder.answer();
      const state = { isAnswered: false };
      const noted = (): void => void (state.isAnswered = true);
      // Without a response, the check fails at the `await`.
      answer.then(noted, noted);
      const dueMs = performance.now() + patienceMs;
      // The holder releases memory once its bytes have arrived, so a prompt sender is always accepted.
      while (!state.isAnswered) {
        equal((await deliver(port, V3.body)).status, 204);
        ok(performance.now() < dueMs, "the holder keeps its memory");
      }
      equal((await answer).status, 503);
      equal(codeOf(await answer), "RECEIVER_BUSY");
      ok(Number((await answer).header("retry-after")) > 0);
      deepEqual(errors, ["RECEIVER_BUSY"]);
      holder.destroy();
    },
  ),
  adapterCheck("WHR-38", "refuses a stream that was decoded to text", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const before = (request: IncomingMessage): void => void request.setEncoding("utf8");
    const options = collecting(seen, { onError() {} });
    const port = await serve({ webhooks: [{ path: HOOK, options, before }] });
    const lossy = Buffer.concat([V3_BYTES, Buffer.from([0x0a, 0xff])]);
    const digest = signDelivery(lossy.toString(), K).signature;
    for (const [body, signature] of [
      [V3_BYTES, V3.digest],
      [lossy, digest],
    ] as const) {
      const length = ["Content-Length", String(body.length)] as const;
      const connection = await openRawConnection(port);
      const headers = [JSON_TYPE, signedBy(signature), length];
      connection.write(rawRequestBytes({ path: HOOK, headers }));
      connection.write(body.subarray(0, 9));
      await pause(20);
      connection.write(body.subarray(9));
      const answer = await connection.answer();
      equal(answer.status, 500);
      equal(codeOf(answer), "RAW_BODY_UNAVAILABLE");
      await connection.closed;
    }
    equal(seen.length, 0);
  }),
  adapterCheck(
    "WHR-39",
    "accepts the bytes that a host has stored, but not text",
    async ({ serve }) => {
      const seen: TestPayload[] = [];
      // Like a host that reads a request before the framework.
      const keeping = (kept: unknown) => (request: IncomingMessage) =>
        void Object.assign(request, { rawBody: kept });
      const options = collecting(seen, { seen: false });
      const port = await serve({
        webhooks: [
          { path: "/bytes", options, before: keeping(V3_BYTES) },
          { path: "/text", options, before: keeping(V3.body) },
        ],
      });
      // Stored bytes are verified, even if more could be read.
      const other = { headers: V3_LINES, body: `${V3.body} ` };
      equal((await rawRequest(port, { path: "/bytes", ...other })).status, 204);
      equal((await rawRequest(port, { path: "/text", ...other })).status, 401);
      equal(seen.length, 1);
    },
  ),
];
