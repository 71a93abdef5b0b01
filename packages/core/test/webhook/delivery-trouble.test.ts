import { describe, expect, it } from "vitest";
import {
  createMemorySeenStore,
  type Reservation,
  type SeenStore,
} from "../../src/webhook/seen-store.js";
import { signed, testPayloads } from "../support/delivery.js";
import { fakeClock } from "../support/fake-clock.js";
import { gate, type Handler, handling } from "../support/handling.js";

const [A, B] = testPayloads(2);

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

  it("is told at once of all that ended between two waits", async () => {
    const writes: string[] = [];
    const seen: SeenStore = {
      reserve: (keys) => keys.map(() => "new" as const),
      commit: (keys) => void writes.push(`commit ${keys.length}`),
      release: (keys) => void writes.push(`release ${keys.length}`),
    };
    const handler: Handler = ({ id }) => {
      if (id === "id-1") throw new Error("handler");
      return id === "id-3" ? Promise.resolve() : undefined;
    };
    const { receiver } = handling(handler, { seen, onError() {} });
    await receiver.receive(signed(testPayloads(6)));
    expect(writes).toEqual(["commit 2", "release 1", "commit 3"]);
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
    await pass(7_999);
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

  it("runs again only when the store lets go of its reservation", async () => {
    const pass = fakeClock();
    const { receiver, started } = handling(() => new Promise(() => {}), {
      handlerTimeoutMs: 100,
      seen: createMemorySeenStore({ reservationMs: 1000 }),
    });
    const first = receiver.receive(signed([A]));
    await pass(100);
    await first;
    const beside = await receiver.receive(signed([A]));
    expect(beside).toMatchObject({ status: 503, code: "HANDLER_BUSY", pending: 1 });
    expect(started).toEqual(["id-0"]);
    await pass(900);
    void receiver.receive(signed([A]));
    await pass(0);
    expect(started).toEqual(["id-0", "id-0"]);
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
