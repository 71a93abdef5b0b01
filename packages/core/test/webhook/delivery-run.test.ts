// Handlers throw anything and hand on thenables of other libraries; so do these.
// oxlint-disable unicorn/no-thenable, typescript/only-throw-error, typescript/prefer-promise-reject-errors
import { describe, expect, it } from "vitest";
import { signed, testPayloads } from "../support/delivery.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { type Handler, handling } from "../support/handling.js";

const [A, B] = testPayloads(2);

describe("a handler that fails", () => {
  it.each<[string, Handler, unknown]>([
    [
      "throws",
      () => {
        throw new Error("handler");
      },
      new Error("handler"),
    ],
    ["rejects", () => Promise.reject(new Error("handler")), new Error("handler")],
    [
      "throws undefined",
      () => {
        throw undefined;
      },
      undefined,
    ],
    ["rejects with text", () => Promise.reject("text"), "text"],
    [
      "gives a foreign promise that rejects",
      () => ({ then: (_: unknown, no: (e: string) => void) => no("foreign") }),
      "foreign",
    ],
    [
      "gives an object whose then throws",
      () => ({
        then() {
          throw new Error("then");
        },
      }),
      new Error("then"),
    ],
    [
      "gives an object whose then cannot be read",
      () =>
        Object.defineProperty({}, "then", {
          get() {
            throw new Error("get");
          },
        }) as unknown,
      new Error("get"),
    ],
  ])("WHR-26 makes the delivery fail when it %s", async (_, handler, cause) => {
    const unhandled = unhandledRejections();
    const { receiver, errors } = handling(handler);
    const receipt = await receiver.receive(signed([A]));
    expect(receipt).toMatchObject({ status: 500, code: "HANDLER_FAILED", handled: 0, pending: 0 });
    expect(receipt.failed).toMatchObject([{ index: 0, error: { code: "HANDLER_FAILED" } }]);
    expect(errors.map((error) => error.code)).toEqual(["HANDLER_FAILED"]);
    expect(errors[0]?.cause).toEqual(cause);
    expect(await unhandled()).toBe(0);
  });

  it("R9 keeps none of the other elements from their handlers", async () => {
    const { receiver, started } = handling(({ id }) => {
      if (id === "id-1") throw new Error("one of them");
    });
    const receipt = await receiver.receive(signed(testPayloads(4)));
    expect(started).toEqual(["id-0", "id-1", "id-2", "id-3"]);
    expect(receipt).toMatchObject({ status: 500, handled: 3, failed: [{ index: 1 }] });
  });

  it("runs again when delivered again, and nothing else does", async () => {
    let broken = true;
    const { receiver, started } = handling(({ id }) => {
      if (broken && id === "id-1") throw new Error("for now");
    });
    const delivery = signed(testPayloads(3));
    expect((await receiver.receive(delivery)).status).toBe(500);
    broken = false;
    started.length = 0;
    expect(await receiver.receive(delivery)).toMatchObject({
      status: 204,
      handled: 1,
      duplicates: 2,
    });
    expect(started).toEqual(["id-1"]);
    started.length = 0;
    expect(await receiver.receive(delivery)).toMatchObject({ handled: 0, duplicates: 3 });
    expect(started).toEqual([]);
  });
});

describe("a handler in callback or promise style", () => {
  it.each<[string, Handler]>([
    ["nothing", () => {}],
    ["a value", () => 7],
    ["null", () => null],
    ["a promise", async () => {}],
    ["a thenable of another library", () => ({ then: (yes: () => void) => setImmediate(yes) })],
  ])("is done when it gives %s", async (_, handler) => {
    const { receiver } = handling(handler);
    expect(await receiver.receive(signed([A]))).toMatchObject({ status: 204, handled: 1 });
  });

  it("runs the payloads of one delivery one after the other", async () => {
    const log: string[] = [];
    const { receiver } = handling(async ({ id }) => {
      log.push(`start ${id}`);
      await Promise.resolve();
      log.push(`end ${id}`);
    });
    await receiver.receive(signed([A, B]));
    expect(log).toEqual(["start id-0", "end id-0", "start id-1", "end id-1"]);
  });

  it("WHR-30 serves a thousand deliveries at once", async () => {
    const { receiver, started } = handling(() => new Promise((resolve) => setImmediate(resolve)));
    const receipts = await Promise.all(
      testPayloads(1000).map((payload) => receiver.receive(signed([payload]))),
    );
    expect(receipts.every(({ status }) => status === 204)).toBe(true);
    expect(new Set(started).size).toBe(1000);
  });
});
