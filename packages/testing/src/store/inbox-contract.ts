import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import {
  createReceiver,
  type Inbox,
  type Receipt,
  type Receiver,
  type WebhookHandlers,
} from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import type { ContractCheck } from "../base/contract-check.js";
import { storeCheck } from "./store-check.js";
import { signDelivery } from "../delivery/sign-delivery.js";

export interface InboxHarness {
  readonly name: string;
  open(settings: InboxSettings): Promise<OpenInbox>;
}

export interface InboxSettings {
  /** Maximum number of attempts for an element, including the first one. */
  readonly maxAttempts: number;
}

export interface OpenInbox {
  readonly inbox: Inbox;
  /** Elements that wait, are being handled, or will be tried again. */
  readonly open: () => Promise<number>;
  /** Elements, or deliveries of one element, that are not retried. */
  readonly parked: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const SECRET = "hook-secret-1";
const MAX_ATTEMPTS = 3;

/** Only a hang takes this long. */
const TIMEOUT_MS = 30_000;

/** Rules for every inbox, whatever its storage. */
export const inboxContract: readonly ContractCheck<InboxHarness>[] = [
  check("IBX-01", "returns the bytes that it accepted", async ({ inbox, open }) => {
    const bodies = ['[{"a":"\\u00e9 \u00e9 \u2665"}]', '\ufeff[{"b":1}]', "[ ]", '[{"a":1,"a":2}]'];
    const stored: AcceptedDelivery[] = [];
    inbox.attach(async (delivery) => {
      stored.push(delivery);
      return receiptOf({});
    });
    for (const body of bodies) await inbox.accept({ body: Buffer.from(body), secretId: body });
    await drained(open);
    const texts = stored.map(({ body }) => Buffer.from(body).toString());
    deepEqual(texts.toSorted(), bodies.toSorted());
    for (const { body, secretId } of stored) equal(Buffer.from(body).toString(), secretId);
  }),
  check(
    "IBX-02",
    "stores deliveries that it accepts before it is attached",
    async ({ inbox, open }) => {
      const { body } = signDelivery([{ id: "early" }], SECRET);
      await inbox.accept({ body, secretId: "0" });
      equal(await open(), 1);
      const handled: unknown[] = [];
      inbox.attach(async ({ secretId }) => {
        handled.push(secretId);
        return receiptOf({});
      });
      await drained(open);
      deepEqual(handled, ["0"]);
    },
  ),
  check("IBX-03", "answers before the handlers have run", async (context) => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { deliver } = receiverOn(context, { unknown: async () => gate });
    equal(await deliver(["a"]), 202);
    equal(await context.open(), 1);
    go();
    await drained(context.open);
  }),
  check("IBX-04", "handles each payload once if nothing fails", async (context) => {
    const { deliver, counts } = receiverOn(context, {});
    for (let index = 0; index < 10; index++) {
      equal(await deliver([`${index}-a`, `${index}-b`, `${index}-c`]), 202);
    }
    await drained(context.open);
    equal(counts.size, 30);
    ok([...counts.values()].every((count) => count === 1));
    equal(await context.parked(), 0);
  }),
  check("IBX-05", "tries only failed payloads again", async (context) => {
    const { deliver, counts, places } = receiverOn(context, {
      unknown({ id }) {
        if (id === "b" && counts.get("b") === 1) throw new Error("for the test");
      },
    });
    await deliver(["a", "b", "c"]);
    await drained(context.open);
    deepEqual(Object.fromEntries(counts), { a: 1, b: 2, c: 1 });
    deepEqual(places, ["a 0", "b 1", "c 2", "b 1"]);
    equal(await context.parked(), 0);
  }),
  check("IBX-06", "parks only payloads that keep failing", async (context) => {
    const { deliver, counts } = receiverOn(context, {
      unknown({ id }) {
        if (id === "bad") throw new Error("for the test");
      },
    });
    await deliver(["a", "bad", "c"]);
    await deliver(["d"]);
    await drained(context.open);
    deepEqual(Object.fromEntries(counts), { a: 1, bad: MAX_ATTEMPTS, c: 1, d: 1 });
    equal(await context.parked(), 1);
  }),
  check("IBX-07", "tries again if the receiver itself throws", async ({ inbox, open, parked }) => {
    let calls = 0;
    inbox.attach(async () => {
      if (++calls === 1) throw new Error("for the test");
      return receiptOf({});
    });
    await inbox.accept({ body: Buffer.from('[{"id":"a"}]'), secretId: "0" });
    await drained(open);
    equal(calls, 2);
    equal(await parked(), 0);
  }),
  check("IBX-08", "counts no attempt while another process has it", async (context) => {
    let calls = 0;
    context.inbox.attach(async () =>
      ++calls <= MAX_ATTEMPTS + 1
        ? receiptOf({ status: 503, code: "HANDLER_BUSY", pending: 1 })
        : receiptOf({}),
    );
    await context.inbox.accept({ body: Buffer.from('[{"id":"a"}]'), secretId: "0" });
    await drained(context.open);
    equal(calls, MAX_ATTEMPTS + 2);
    equal(await context.parked(), 0);
  }),
  check("IBX-09", "never gives one element to two callers at a time", async (context) => {
    const running = new Set<unknown>();
    const { deliver, counts } = receiverOn(context, {
      async unknown({ id }) {
        ok(!running.has(id));
        running.add(id);
        await pause(2);
        running.delete(id);
        if (counts.get(String(id)) === 1 && String(id).endsWith("7"))
          throw new Error("for the test");
      },
    });
    const ids = Array.from({ length: 60 }, (_, index) => `id-${index}`);
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => deliver(ids.slice(at * 3, at * 3 + 3))),
    );
    await drained(context.open);
    equal(await context.parked(), 0);
    for (const id of ids) equal(counts.get(id), id.endsWith("7") ? 2 : 1, id);
  }),
  check("IBX-10", "accepts the largest delivery", async (context) => {
    const { deliver, counts } = receiverOn(context, {});
    const ids = Array.from({ length: 1_000 }, (_, index) => `${index}-${"x".repeat(4_900)}`);
    equal(await deliver(ids), 202);
    await drained(context.open);
    equal(counts.size, 1_000);
    equal(await context.parked(), 0);
  }),
];

function check(id: string, title: string, body: (open: OpenInbox) => Promise<void>) {
  const open = async (harness: InboxHarness) => harness.open({ maxAttempts: MAX_ATTEMPTS });
  return storeCheck(id, title, open, body, 2 * TIMEOUT_MS);
}

interface ReceiverOnInbox {
  readonly receiver: Receiver;
  readonly deliver: (ids: readonly string[]) => Promise<number>;
  readonly counts: Map<string, number>;
  /** Id and position in the delivery of each call. */
  readonly places: string[];
}

function receiverOn({ inbox }: OpenInbox, on: Pick<WebhookHandlers, "unknown">): ReceiverOnInbox {
  const counts = new Map<string, number>();
  const places: string[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    inbox,
    seen: false,
    inboxTimeoutMs: TIMEOUT_MS,
    onError() {},
    on: {
      unknown(payload, context) {
        const id = String(payload.id);
        counts.set(id, (counts.get(id) ?? 0) + 1);
        places.push(`${id} ${context.index}`);
        return on.unknown?.(payload, context);
      },
    },
  });
  return {
    receiver,
    counts,
    places,
    async deliver(ids) {
      const payloads = ids.map((id) => ({ service_payload_type: "of_the_contract", id }));
      const { body, signature } = signDelivery(payloads, SECRET);
      return (await receiver.receive({ body, signature })).status;
    },
  };
}

function receiptOf(known: Partial<Receipt>): Receipt {
  const none = { handled: 0, duplicates: 0, ignored: [], failed: [], pending: 0 };
  return { status: 204, ...none, ...known };
}

async function drained(open: () => Promise<number>): Promise<void> {
  const endMs = performance.now() + TIMEOUT_MS;
  while ((await open()) > 0) {
    ok(performance.now() < endMs, "the inbox is not empty in time");
    await pause(10);
  }
}
