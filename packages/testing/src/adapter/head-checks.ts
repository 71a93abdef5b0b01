import { equal, notEqual, rejects } from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { isRiskGateError, type TestPayload } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequest, rawRequestBytes } from "../http/raw-request.js";
import { signDelivery } from "../delivery/sign-delivery.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { codeOf, collecting, HOOK, JSON_TYPE, K, signedBy, V3, V3_LINES } from "./known.js";

const METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

/** Methods that a framework may not support and then refuses with 404. */
const RARE_METHODS = ["PROPFIND", "SEARCH", "REPORT"];

function typeCheck(
  id: string,
  title: string,
  status: 204 | 415,
  types: readonly (string | undefined)[],
): ContractCheck<AdapterHarness> {
  return adapterCheck(id, title, async ({ serve }) => {
    const seen: TestPayload[] = [];
    const options = collecting(seen, { seen: false });
    const port = await serve({ webhooks: [{ path: HOOK, options }] });
    for (const type of types) {
      const typeLines = type === undefined ? [] : [["Content-Type", type] as const];
      const headers = [...typeLines, signedBy(V3.digest)];
      const answer = await rawRequest(port, { path: HOOK, headers, body: V3.body });
      equal(answer.status, status, type);
      equal(codeOf(answer), status === 415 ? "UNSUPPORTED_MEDIA_TYPE" : undefined);
    }
    equal(seen.length, status === 204 ? types.length : 0);
  });
}

export const headChecks: readonly ContractCheck<AdapterHarness>[] = [
  ...[false, true].map((postOnly) =>
    adapterCheck(
      "WHR-08",
      `accepts only POST${postOnly ? " if it is mounted for POST" : ""}`,
      async ({ serve }) => {
        const seen: TestPayload[] = [];
        const port = await serve({
          webhooks: [{ path: HOOK, options: collecting(seen), postOnly }],
        });
        for (const method of [...METHODS, ...RARE_METHODS]) {
          const connection = await openRawConnection(port);
          const headers = [...V3_LINES, ["Connection", "close"] as const];
          connection.write(rawRequestBytes({ method, path: HOOK, headers, body: V3.body }));
          const answer = await connection.answer(method);
          // The framework may respond to requests that it does not route here: 404, or a response
          // to OPTIONS.
          const isOwn = answer.status === 404 || (method === "OPTIONS" && answer.status === 200);
          if (!isOwn || !(postOnly || RARE_METHODS.includes(method))) {
            equal(answer.status, 405, method);
            equal(answer.header("allow"), "POST", method);
          }
          await connection.closed;
          equal(
            connection.rest(),
            "",
            "nothing may follow the answer, and the answer to HEAD has no body",
          );
        }
        equal(seen.length, 0);
      },
    ),
  ),
  typeCheck("WHR-09", "refuses every type that is not JSON", 415, [
    undefined,
    "text/plain",
    "application/jsonp",
    'text/plain; x="application/json"',
    "application/json<x>",
  ]),
  typeCheck("WHR-10", "accepts JSON in UTF-8, however it is spelled", 204, [
    "application/json; charset=utf-8",
    'APPLICATION/JSON ; charset="UTF-8"',
  ]),
  typeCheck("WHR-11", "refuses every other charset", 415, [
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-7",
  ]),
  adapterCheck("WHR-12", "decompresses nothing", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const plain = Buffer.alloc(10 * 1_048_576, " ");
    plain.write("[", 0);
    plain.write("]", plain.length - 1);
    const rows = (
      [
        ["gzip", gzipSync(plain)],
        ["br", brotliCompressSync(plain)],
        ["deflate", deflateSync(plain)],
      ] as const
    ).flatMap(([coding, packed]) =>
      [packed, plain].map((signed) => ({
        path: HOOK,
        headers: [
          JSON_TYPE,
          signedBy(signDelivery(signed, K).signature),
          ["Content-Encoding", coding] as const,
        ],
        body: packed,
      })),
    );
    equal((await rawRequest(port, rows[0]!)).status, 415);
    let decompressors = 0;
    const watch = createHook({ init: (_, type) => void (type === "ZLIB" && decompressors++) });
    watch.enable();
    try {
      for (const row of rows) {
        const answer = await rawRequest(port, row);
        equal(answer.status, 415, row.headers[2]?.[1]);
        equal(codeOf(answer), "UNSUPPORTED_MEDIA_TYPE");
      }
    } finally {
      watch.disable();
    }
    equal(decompressors, 0);
    equal(seen.length, 0);
  }),
  adapterCheck("WHR-13", "refuses a declared length over the limit at once", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({
      webhooks: [
        { path: HOOK, options: collecting(seen, { maxBytes: 1000 }) },
        { path: "/default", options: collecting(seen) },
      ],
    });
    for (const [path, length] of [
      [HOOK, 1001],
      ["/default", 5 * 1_048_576 + 1],
      [HOOK, 1e15],
    ] as const) {
      const connection = await openRawConnection(port);
      const headers = [...V3_LINES, ["Content-Length", String(length)] as const];
      connection.write(rawRequestBytes({ path, headers }));
      // No byte of the body is sent: an adapter that waits for one does not respond.
      const answer = await connection.answer();
      equal(answer.status, 413);
      equal(codeOf(answer), "BODY_TOO_LARGE");
      await connection.closed;
    }
    equal(seen.length, 0);
  }),
  adapterCheck("WHR-15", "refuses an invalid limit at set-up", async ({ serve }) => {
    for (const maxBytes of [Number.NaN, -1, 0, "abc", Infinity, 1.5, null] as number[]) {
      await rejects(
        serve({ webhooks: [{ path: HOOK, options: collecting([], { maxBytes }) }] }),
        (error: unknown) => isRiskGateError(error) && error.code === "CONFIG_INVALID",
        `maxBytes ${maxBytes}`,
      );
    }
    notEqual(await serve({}), 0);
  }),
];
