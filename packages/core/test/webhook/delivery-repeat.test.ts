import { describe, expect, it } from "vitest";
import type { ReceiverOptions } from "../../src/webhook/receiver.js";
import { createMemorySeenStore } from "../../src/webhook/seen-store.js";
import { signed, testPayloads } from "../support/delivery.js";
import { gate, handling } from "../support/handling.js";

const [A, B] = testPayloads(2);

describe("a payload that comes again", () => {
  it("counts once within one array", async () => {
    const { receiver, started } = handling(() => {});
    expect(await receiver.receive(signed([A, B, A]))).toMatchObject({
      status: 204,
      handled: 2,
      duplicates: 1,
    });
    expect(started).toEqual(["id-0", "id-1"]);
  });

  it("is new when its content has changed", async () => {
    const { receiver, started } = handling(() => {});
    await receiver.receive(signed([A]));
    await receiver.receive(signed([{ ...A, risk: 50 }]));
    expect(started).toHaveLength(2);
  });

  it("PAY-07 INB-13 is handled again where it has no id", async () => {
    const { receiver, started } = handling(() => {});
    const anonymous = { service_payload_type: "test" };
    const receipts = [await receiver.receive(signed([anonymous, anonymous]))];
    receipts.push(await receiver.receive(signed([anonymous, anonymous])));
    expect(receipts).toMatchObject([{ handled: 2 }, { handled: 2 }]);
    expect(started).toHaveLength(4);
  });

  it("is handled again where nothing is remembered", async () => {
    const { receiver, started } = handling(() => {}, { seen: false });
    await receiver.receive(signed([A]));
    expect(await receiver.receive(signed([A]))).toMatchObject({ handled: 1, duplicates: 0 });
    expect(started).toEqual(["id-0", "id-0"]);
  });

  it.each<[string, Partial<ReceiverOptions>]>([
    ["with a store", {}],
    ["with a store shared by two receivers", { seen: createMemorySeenStore() }],
  ])("waits for an equal delivery under way, %s", async (_, options) => {
    const { open, opened } = gate();
    const { receiver, started } = handling(() => opened, options);
    const delivery = signed(testPayloads(3));
    const both = [receiver.receive(delivery), receiver.receive(delivery)];
    open();
    const [first, second] = await Promise.all(both);
    expect(first).toMatchObject({ status: 204, handled: 3, duplicates: 0 });
    expect(second).toMatchObject({ status: 204, handled: 0, duplicates: 3 });
    expect(started).toEqual(["id-0", "id-1", "id-2"]);
  });

  it("is not a success where the equal delivery under way fails", async () => {
    const { open, opened } = gate();
    const { receiver } = handling(() => opened.then(() => Promise.reject(new Error("handler"))));
    const both = [receiver.receive(signed([A])), receiver.receive(signed([A]))];
    open();
    const [first, second] = await Promise.all(both);
    expect(first?.status).toBe(500);
    expect(second).toMatchObject({ status: 503, code: "HANDLER_BUSY", pending: 1 });
    expect(second?.failed).toEqual([]);
  });

  it("INB-06 is handled once by deliveries that overlap in any order", async () => {
    const { receiver, started } = handling(() => Promise.resolve());
    const payloads = testPayloads(20);
    const deliveries = [payloads, payloads.toReversed(), payloads.slice(5), payloads.slice(0, 9)];
    const receipts = await Promise.all(deliveries.map((list) => receiver.receive(signed(list))));
    expect(receipts.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(started).toHaveLength(20);
    expect(new Set(started)).toEqual(new Set(payloads.map(({ id }) => id)));
  });

  it("is busy while another process has it", async () => {
    const seen = createMemorySeenStore();
    const { open, opened } = gate();
    const one = handling(() => opened, { seen });
    const other = handling(() => {}, { seen });
    const first = one.receiver.receive(signed([A]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await other.receiver.receive(signed([A, B]))).toMatchObject({
      status: 503,
      code: "HANDLER_BUSY",
      handled: 1,
      pending: 1,
    });
    open();
    expect((await first).status).toBe(204);
    expect(await other.receiver.receive(signed([A]))).toMatchObject({ status: 204, duplicates: 1 });
    expect(other.started).toEqual(["id-1"]);
  });
});
