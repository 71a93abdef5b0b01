import { deepEqual, equal, ok } from "node:assert/strict";
import type { Receipt, SecurityEvent, TestPayload } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createPayloads, enveloped } from "../delivery/payloads.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { codeOf, collecting, deliver, HOOK, K, V3 } from "./known.js";

function refusalCheck(
  id: string,
  title: string,
  code: string,
  bodies: readonly (string | Uint8Array)[],
): ContractCheck<AdapterHarness> {
  return adapterCheck(id, title, async ({ serve, said }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    for (const body of bodies) {
      const answer = await deliver(port, body);
      equal(answer.status, 400, String(body));
      equal(codeOf(answer), code);
      const told = [answer.body, ...said()].join("\n");
      for (const part of ["secret@x.y", '{"a"', "[1,]"]) ok(!told.includes(part), told);
    }
    equal(seen.length, 0);
  });
}

export const contentChecks: readonly ContractCheck<AdapterHarness>[] = [
  refusalCheck("WHR-22", "refuses broken JSON and repeats none of it", "INVALID_JSON", [
    "[",
    "[1,]",
    '{"a"',
    '[{"email":"secret@x.y"',
  ]),
  refusalCheck("WHR-23", "refuses JSON that is not an array", "INVALID_PAYLOAD", [
    "{}",
    '"x"',
    "1",
    "null",
    "true",
  ]),
  adapterCheck("WHR-24", "accepts an empty array", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    equal((await deliver(port, "[]")).status, 204);
    equal(seen.length, 0);
  }),
  adapterCheck("WHR-25", "accepts 1,000 elements and not one more", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const { test } = createPayloads("WHR-25");
    const elements = Array.from({ length: 1001 }, () => test());
    const over = await deliver(port, elements);
    equal(over.status, 400);
    equal(codeOf(over), "TOO_MANY_EVENTS");
    equal(seen.length, 0);
    equal((await deliver(port, elements.slice(0, 1000))).status, 204);
    deepEqual(
      seen.map(({ id }) => id),
      elements.slice(0, 1000).map(({ id }) => id),
    );
  }),
  adapterCheck("WHR-32", "reads past one leading BOM", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(V3.body)]);
    equal((await deliver(port, body)).status, 204);
    deepEqual(seen, [{ service_payload_type: "test", ips: [] }]);
  }),
  refusalCheck("WHR-33", "refuses invalid UTF-8", "INVALID_ENCODING", [
    Buffer.concat([
      Buffer.from('[{"service_payload_type":"test","note":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}]'),
    ]),
  ]),
  adapterCheck("WHR-34", "lets no payload reach a prototype", async ({ serve }) => {
    const seen: Record<string, unknown>[] = [];
    const on = {
      test(payload: TestPayload, { raw }: { raw: object }): void {
        for (const given of [payload, raw]) {
          seen.push(given as Record<string, unknown>);
          Object.assign({}, given);
          merge({}, { ...given });
          merge({}, given);
        }
      },
    };
    const port = await serve({ webhooks: [{ path: HOOK, options: { secrets: K, on } }] });
    const nested = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const element =
      '{"service_payload_type":"test","__proto__":{"polluted":1},' +
      `"constructor":{"prototype":{"polluted":1}},"deep":[${nested}]}`;
    equal((await deliver(port, `[${element}]`)).status, 204);
    equal(seen.length, 2);
    equal(({} as Record<string, unknown>).polluted, undefined);
    for (const given of seen) {
      equal(Object.getPrototypeOf(given), Object.prototype);
      const [deep] = given.deep as object[];
      for (const value of [given, deep!]) {
        ok(!Object.hasOwn(value, "__proto__"));
        ok(!JSON.stringify(value).includes("polluted"));
      }
    }
  }),
  adapterCheck("WHR-35", "handles good payloads among broken ones", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const receipts: Receipt[] = [];
    const options = collecting(seen, { onReceipt: (receipt) => receipts.push(receipt) });
    const port = await serve({ webhooks: [{ path: HOOK, options }] });
    const { test } = createPayloads("WHR-35");
    const unknown = { service_payload_type: "of_later" };
    const [first, last] = [test(), test()];
    const batch = [first, null, 42, "x", [], {}, unknown, last];
    equal((await deliver(port, batch)).status, 204);
    deepEqual(
      seen.map(({ id }) => id),
      [first.id, last.id],
    );
    deepEqual(
      receipts.map(({ handled, ignored }) => [handled, ignored.map(({ index }) => index)]),
      [[2, [1, 2, 3, 4, 5, 6]]],
    );
  }),
  adapterCheck("PAY-09", "passes payloads in envelopes to the same handlers", async ({ serve }) => {
    const seen: unknown[] = [];
    const on = {
      security_event: ({ event_id }: SecurityEvent) => void seen.push(event_id),
      test: ({ id }: TestPayload) => void seen.push(id),
      unknown: (element: object) => void seen.push(element),
    };
    const port = await serve({ webhooks: [{ path: HOOK, options: { secrets: K, on } }] });
    const { securityEvent, test } = createPayloads("PAY-09");
    const [event, flat] = [securityEvent(), test()];
    const later = { message_type: "of_later", message: { id: "a" } };
    const untyped = { event_kind: "xss" };
    const batch = [enveloped(event), flat, later, untyped];
    equal((await deliver(port, batch)).status, 204);
    // A repeated envelope has other counts around the same message.
    equal((await deliver(port, [enveloped(event, 1)])).status, 204);
    deepEqual(seen, [event.event_id, flat.id, later, untyped]);
  }),
];

function merge(target: Record<string, unknown>, source: object): void {
  for (const [key, value] of Object.entries(source) as [string, unknown][]) {
    if (typeof value !== "object" || value === null) target[key] = value;
    else {
      const inner = target[key] ?? {};
      target[key] = inner;
      merge(inner as Record<string, unknown>, value);
    }
  }
}
