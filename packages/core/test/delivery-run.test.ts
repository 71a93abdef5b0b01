import { describe, expect, it } from "vitest";
import type { RiskGateError } from "../src/errors.js";
import { createReceiver, type ReceiverOptions } from "../src/receiver.js";
import { createMemorySeenStore, type Reservation, type SeenStore } from "../src/seen-store.js";
import type { WebhookHandlers } from "../src/webhook-handlers.js";
import { signed, testPayloads } from "./support/delivery.js";
import { fakeClock, unhandledRejections } from "./support/fake-clock.js";
import { SECRET } from "./support/vectors.js";

type Handler = NonNullable<WebhookHandlers["test"]>;

/** A receiver with one handler; it records the ids handled and the codes of errors. */
function handling(handler: Handler, options: Partial<ReceiverOptions> = {}) {
  const started: (string | undefined)[] = [];
  const errors: RiskGateError[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    on: {
      test(payload, context) {
        started.push(payload.id);
        return handler(payload, context);
      },
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { receiver, started, errors };
}

/** A promise and what settles it. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

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
    // oxlint-disable-next-line no-throw-literal -- applications do
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
    expect(started.toSorted()).toEqual(payloads.map(({ id }) => id).toSorted());
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

describe("a seen store in trouble", () => {
  const healthy: SeenStore = {
    reserve: (keys) => keys.map(() => "new" as const),
    commit() {},
    release() {},
  };
  const down = (): never => {
    throw new Error("down");
  };

  it.each<[string, SeenStore["reserve"]]>([
    ["throws", down],
    ["rejects", () => Promise.reject(new Error("down"))],
    ["answers nothing", () => undefined as unknown as Reservation[]],
  ])("R33 makes the delivery unavailable when it %s", async (_, reserve) => {
    const pass = fakeClock();
    const { receiver, started, errors } = handling(() => {}, { seen: { ...healthy, reserve } });
    const delivery = signed(testPayloads(2));
    expect(await receiver.receive(delivery)).toMatchObject({ status: 503, code: "STORE_FAILED" });
    expect(started).toEqual([]);
    await pass(60_000);
    expect(errors.map((error) => error.code)).toEqual(["STORE_FAILED"]);
  });

  it("serves the delivery again once the store is back", async () => {
    let isDown = true;
    const reserve: SeenStore["reserve"] = (keys) => (isDown ? down() : healthy.reserve(keys));
    const { receiver, started } = handling(() => {}, { seen: { ...healthy, reserve } });
    await receiver.receive(signed([A]));
    isDown = false;
    expect((await receiver.receive(signed([A]))).status).toBe(204);
    expect(started).toEqual(["id-0"]);
  });

  it.each<[string, () => never | Promise<never>]>([
    ["throws", down],
    ["rejects", () => Promise.reject(new Error("down"))],
  ])("reports a commit that %s, and stands by what was handled", async (_, commit) => {
    const { receiver, errors } = handling(() => {}, { seen: { ...healthy, commit } });
    expect(await receiver.receive(signed([A]))).toMatchObject({ status: 204, handled: 1 });
    expect(errors.map((error) => error.code)).toEqual(["STORE_FAILED"]);
  });

  it("gives nothing back that others hold, when the time ends before it answers", async () => {
    const pass = fakeClock();
    const released: string[] = [];
    const { open, opened } = gate();
    let keys: readonly string[] = [];
    const { receiver, started } = handling(() => {}, {
      handlerTimeoutMs: 100,
      seen: {
        reserve(given) {
          keys = given;
          return opened.then(() => ["done", "new"]);
        },
        commit() {},
        release: (given) => void released.push(...given),
      },
    });
    const receiving = receiver.receive(signed([A, B]));
    await pass(100);
    expect(await receiving).toMatchObject({ status: 503, code: "HANDLER_TIMEOUT", pending: 2 });
    expect(released).toEqual([]);
    open();
    await pass(0);
    expect(released).toEqual([keys[1]]);
    expect(started).toEqual([]);
  });
});

describe("a handler that takes too long", () => {
  it("WHR-27 makes the delivery time out, once, and hears of it", async () => {
    const pass = fakeClock();
    const signals: AbortSignal[] = [];
    const { receiver, started, errors } = handling((_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    let answered = false;
    const receiving = receiver.receive(signed(testPayloads(3))).finally(() => (answered = true));
    await pass(9_999);
    expect([answered, signals[0]?.aborted]).toEqual([false, false]);
    await pass(1);
    expect(await receiving).toMatchObject({
      status: 503,
      code: "HANDLER_TIMEOUT",
      handled: 0,
      pending: 3,
    });
    expect(signals[0]?.reason).toMatchObject({ code: "HANDLER_TIMEOUT" });
    expect(started).toEqual(["id-0"]);
    await pass(60_000);
    expect(errors.map((error) => error.code)).toEqual(["HANDLER_TIMEOUT"]);
  });

  it("is remembered where it succeeds after all", async () => {
    const pass = fakeClock();
    const { open, opened } = gate();
    const { receiver, started } = handling(() => opened, { handlerTimeoutMs: 100 });
    const delivery = signed([A, B]);
    const receiving = receiver.receive(delivery);
    await pass(100);
    const receipt = await receiving;
    expect(receipt).toMatchObject({ status: 503, handled: 0, pending: 2 });
    open();
    await pass(0);
    expect(receipt.handled).toBe(0);
    expect(started).toEqual(["id-0"]);
    expect(await receiver.receive(delivery)).toMatchObject({
      status: 204,
      handled: 1,
      duplicates: 1,
    });
    expect(started).toEqual(["id-0", "id-1"]);
  });

  it("runs again where it fails after all", async () => {
    const pass = fakeClock();
    const { open, opened } = gate();
    let broken = true;
    const { receiver, started, errors } = handling(
      () => opened.then(() => (broken ? Promise.reject(new Error("late")) : undefined)),
      { handlerTimeoutMs: 100 },
    );
    const receiving = receiver.receive(signed([A]));
    await pass(100);
    expect((await receiving).failed).toEqual([]);
    open();
    await pass(0);
    expect(errors.map((error) => error.code)).toEqual(["HANDLER_TIMEOUT", "HANDLER_FAILED"]);
    broken = false;
    expect((await receiver.receive(signed([A]))).status).toBe(204);
    expect(started).toEqual(["id-0", "id-0"]);
  });

  it("is not run a second time beside itself", async () => {
    const pass = fakeClock();
    const { receiver, started } = handling(() => new Promise(() => {}), { handlerTimeoutMs: 100 });
    const first = receiver.receive(signed([A]));
    await pass(100);
    await first;
    const second = receiver.receive(signed([A]));
    await pass(100);
    expect(await second).toMatchObject({ status: 503, code: "HANDLER_TIMEOUT", pending: 1 });
    expect(started).toEqual(["id-0"]);
  });

  it("keeps what came before it", async () => {
    const pass = fakeClock();
    const { receiver } = handling(({ id }) => (id === "id-1" ? new Promise(() => {}) : undefined), {
      handlerTimeoutMs: 100,
    });
    const receiving = receiver.receive(signed(testPayloads(3)));
    await pass(100);
    expect(await receiving).toMatchObject({ status: 503, handled: 1, pending: 2 });
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
