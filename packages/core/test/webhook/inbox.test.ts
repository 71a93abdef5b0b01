import { describe, expect, it } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import type { AcceptedDelivery, Inbox } from "../../src/webhook/inbox.js";
import type { Receipt } from "../../src/webhook/receipt.js";
import { createReceiver } from "../../src/webhook/receiver.js";
import { signed, testPayloads } from "../support/delivery.js";
import { fakeClock } from "../support/fake-clock.js";
import { SECRET } from "../support/vectors.js";

/** An inbox in memory, and a receiver that stores in it. */
function withInbox(accept?: Inbox["accept"]) {
  const stored: AcceptedDelivery[] = [];
  const handled: unknown[] = [];
  const errors: RiskGateError[] = [];
  const attached: ((delivery: AcceptedDelivery) => Promise<Receipt>)[] = [];
  const receiver = createReceiver({
    secrets: { id: "a", value: SECRET },
    on: {
      test: ({ id }) => {
        handled.push(id);
        if (id === "bad") throw new Error("handler");
      },
    },
    onError: (error) => errors.push(error),
    inbox: {
      accept: accept ?? (async (delivery) => void stored.push(delivery)),
      attach: (process) => void attached.push(process),
    },
  });
  return { receiver, stored, handled, errors, attached };
}

const delivery = signed(testPayloads(2));

describe("a receiver with an inbox", () => {
  it("stores the bytes, says 202 and handles nothing yet", async () => {
    const { receiver, stored, handled } = withInbox();
    expect(await receiver.receive(delivery)).toMatchObject({ status: 202, secretId: "a" });
    expect(stored).toEqual([{ body: delivery.body, secretId: "a" }]);
    expect(handled).toEqual([]);
  });

  it("stores text as bytes", async () => {
    const { receiver, stored } = withInbox();
    await receiver.receive({ ...delivery, body: delivery.body.toString() });
    expect(stored[0]?.body).toEqual(delivery.body);
  });

  it("handles afterwards what was stored, through either door", async () => {
    const { receiver, stored, handled, attached } = withInbox();
    await receiver.receive(delivery);
    expect(attached).toHaveLength(1);
    for (const item of stored) {
      expect(await attached[0]?.(item)).toMatchObject({ status: 204, handled: 2, secretId: "a" });
      expect(await receiver.process(item)).toMatchObject({ status: 204, duplicates: 2 });
    }
    expect(handled).toEqual(["id-0", "id-1"]);
  });

  it("INB-05 asks for another try of what failed, and runs only that", async () => {
    const { receiver, handled } = withInbox();
    const { body } = signed([{ service_payload_type: "test", id: "bad" }, ...testPayloads(1)]);
    const item = { body, secretId: "a" };
    expect(await receiver.process(item)).toMatchObject({ status: 500, failed: [{ index: 0 }] });
    expect(await receiver.process(item)).toMatchObject({ status: 500, duplicates: 1 });
    expect(handled).toEqual(["bad", "id-0", "bad"]);
  });

  it.each([
    ["an unsigned delivery", { ...delivery, signature: undefined }, 401],
    ["what is no JSON", signed("["), 400],
    ["what is no array", signed("{}"), 400],
    ["too many payloads", signed(testPayloads(1001)), 400],
  ])("never stores %s", async (_, bad, status) => {
    const { receiver, stored } = withInbox();
    expect((await receiver.receive(bad)).status).toBe(status);
    expect(stored).toEqual([]);
  });

  it.each<[string, Inbox["accept"]]>([
    [
      "throws at once",
      () => {
        throw new Error("down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("down"))],
  ])("INB-01 answers 503 when it %s", async (_, accept) => {
    const { receiver, errors } = withInbox(accept);
    expect(await receiver.receive(delivery)).toMatchObject({
      status: 503,
      code: "INBOX_UNAVAILABLE",
      handled: 0,
    });
    expect(errors.map((error) => error.code)).toEqual(["INBOX_UNAVAILABLE"]);
  });

  it("INB-01 answers 503 after two seconds when it hangs, and once", async () => {
    const pass = fakeClock();
    let store = (): void => {};
    const { receiver, errors } = withInbox(() => new Promise((resolve) => (store = resolve)));
    let answers = 0;
    const receiving = receiver.receive(delivery).finally(() => answers++);
    await pass(1_999);
    expect(answers).toBe(0);
    await pass(1);
    expect(await receiving).toMatchObject({ status: 503, code: "INBOX_UNAVAILABLE" });
    store();
    await pass(60_000);
    expect(answers).toBe(1);
    expect(errors).toHaveLength(1);
  });

  it("keeps the places of elements that an inbox hands back one by one", async () => {
    const places: unknown[] = [];
    const receiver = createReceiver({
      secrets: SECRET,
      onError() {},
      on: {
        unknown(payload, { index }) {
          places.push([payload.id, index]);
          if (payload.id === "bad") throw new Error("for the test");
        },
      },
    });
    const process = async (elements: readonly unknown[], firstIndex: number) =>
      receiver.process({ body: Buffer.from(JSON.stringify(elements)), secretId: "a", firstIndex });
    const payload = (id: string) => ({ service_payload_type: "later", id });
    expect(await process([payload("good")], 7)).toMatchObject({ status: 204, handled: 1 });
    const receipt = await process([5, payload("bad"), payload("more")], 10);
    expect(receipt.ignored).toMatchObject([{ index: 10 }]);
    expect(receipt.failed).toMatchObject([{ index: 11 }]);
    expect(places).toEqual([
      ["good", 7],
      ["bad", 11],
      ["more", 12],
    ]);
  });

  it("refuses a stored delivery that can no longer be read", async () => {
    const { receiver } = withInbox();
    const receipt = await receiver.process({ body: Buffer.from("["), secretId: "a" });
    expect(receipt).toMatchObject({ status: 400, code: "INVALID_JSON" });
  });
});
