import { deepEqual, equal, ok } from "node:assert/strict";
import type { RiskGateError, TestPayload } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createPayloads } from "../delivery/payloads.js";
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
  deliveryRequest,
  HOOK,
  JSON_TYPE,
  K,
  problemBody,
  signedBy,
  V3,
} from "./known.js";

export const handlerChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "WHR-20",
    "never verifies JSON that was serialised again",
    async ({ serve, said }) => {
      const seen: TestPayload[] = [];
      const errors: RiskGateError[] = [];
      const options = collecting(seen, { onError: (error) => errors.push(error) });
      const port = await serve({ webhooks: [{ path: HOOK, options, parserFirst: true }] });
      // Parsed and serialized again, this is V3, and it has V3's digest.
      const forged = { headers: [JSON_TYPE, signedBy(V3.digest)], body: `${V3.body}\n` };
      const refused = await rawRequest(port, { path: HOOK, ...forged });
      ok(refused.status === 401 || refused.status === 500, `status ${refused.status}`);
      equal(seen.length, 0);
      const answer = await deliver(port, `${V3.body}\n`);
      if (answer.status === 500) {
        equal(codeOf(answer), "RAW_BODY_UNAVAILABLE");
        equal(seen.length, 0);
        deepEqual(
          errors.map(({ code }) => code),
          ["RAW_BODY_UNAVAILABLE", "RAW_BODY_UNAVAILABLE"],
        );
        ok(/before any body parser/.test(errors[0]!.hint), "the error names the remedy");
        const lines = said().filter((line) => line.startsWith("RISKGATE_RAW_BODY_UNAVAILABLE"));
        ok(lines.length <= 1, "the warning is given once");
        for (const line of lines) ok(/before any body parser/.test(line), line);
      } else {
        // The parser did not consume the body: the original bytes were verified.
        equal(answer.status, 204);
        equal(seen.length, 1);
      }
    },
  ),
  adapterCheck(
    "WHR-20",
    "never verifies the text of a parser instead of the bytes",
    async ({ serve }) => {
      const seen: TestPayload[] = [];
      const options = collecting(seen, { onError() {} });
      const port = await serve({ webhooks: [{ path: HOOK, options, parserFirst: true }] });
      // Signed as a decoder would serialize it, with another character for the last byte.
      const body = Buffer.from('[{"service_payload_type":"test","note":"\xff"}]', "latin1");
      const { signature } = signDelivery(body.toString(), K);
      const headers = [JSON_TYPE, signedBy(signature)];
      const { status } = await rawRequest(port, { path: HOOK, headers, body });
      ok(status === 401 || status === 500, `status ${status}`);
      equal(seen.length, 0);
    },
  ),
  adapterCheck(
    "WHR-26",
    "answers 500 for a handler that fails, without its message",
    async (stage) => {
      const errors: RiskGateError[] = [];
      const thrown = "failed on purpose with secret@x.y";
      const failures: (() => unknown)[] = [
        () => {
          throw new Error(thrown);
        },
        async () => Promise.reject(new Error(thrown)),
        () => {
          // oxlint-disable-next-line typescript/only-throw-error -- Some handlers do.
          throw undefined;
        },
      ];
      const port = await stage.serve({
        webhooks: failures.map((test, index) => ({
          path: `${HOOK}${index}`,
          options: { secrets: K, on: { test }, onError: (error) => errors.push(error) },
        })),
      });
      for (const index of failures.keys()) {
        const answer = await deliver(port, V3.body, `${HOOK}${index}`);
        equal(answer.status, 500);
        equal(answer.body, problemBody(500, "HANDLER_FAILED", "A handler failed"));
        ok(!stage.said().join("\n").includes(thrown));
      }
      deepEqual(
        errors.map(({ code, cause }) => [code, (cause as Error | undefined)?.message]),
        [
          ["HANDLER_FAILED", thrown],
          ["HANDLER_FAILED", thrown],
          ["HANDLER_FAILED", undefined],
        ],
      );
    },
  ),
  adapterCheck(
    "WHR-27",
    "answers 503 once for a handler that takes too long",
    async ({ serve }) => {
      const ends: (() => void)[] = [];
      // With any other time limit, the handler would end and the delivery be accepted.
      const test = async (): Promise<void> =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, 900);
          ends.push(() => {
            clearTimeout(timer);
            resolve();
          });
        });
      const on = { test };
      const options = { secrets: K, on, handlerTimeoutMs: 300, onError() {} };
      const port = await serve({ webhooks: [{ path: HOOK, options }] });
      const connection = await openRawConnection(port);
      const startedMs = performance.now();
      connection.write(rawRequestBytes(deliveryRequest(V3.body)));
      const answer = await connection.answer();
      const tookMs = performance.now() - startedMs;
      equal(answer.status, 503);
      equal(codeOf(answer), "HANDLER_TIMEOUT");
      ok(Number(answer.header("retry-after")) > 0);
      ok(tookMs >= 295, `took ${tookMs} ms`);
      equal(ends.length, 1);
      for (const end of ends) end();
      await pause(50);
      equal(connection.rest(), "", "nothing is written when the handler ends later");
      connection.destroy();
      await connection.closed;
    },
  ),
  adapterCheck(
    "WHR-30",
    "takes 1,000 deliveries at the same time",
    async ({ serve }) => {
      const seen: TestPayload[] = [];
      const on = {
        async test(payload: TestPayload): Promise<void> {
          await pause(1);
          seen.push(payload);
        },
      };
      const options = { secrets: K, on, bodyTimeoutMs: 60_000, handlerTimeoutMs: 60_000 };
      const port = await serve({ webhooks: [{ path: HOOK, options }] });
      const { test } = createPayloads("WHR-30");
      const answers = await Promise.all(
        Array.from({ length: 1000 }, async () => deliver(port, [test()])),
      );
      deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
      equal(new Set(seen.map(({ id }) => id)).size, 1000);
      equal(seen.length, 1000);
    },
    60_000,
  ),
];
