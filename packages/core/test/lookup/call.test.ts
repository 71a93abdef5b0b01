import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { Call, type CallTarget, type ClientContext } from "../../src/lookup/call.js";
import { LookupBreaker } from "../../src/lookup/lookup-breaker.js";
import type { LookupOptions } from "../../src/model/lookup.js";
import { createSemaphore } from "../../src/lookup/semaphore.js";
import type { Answer, Exchange } from "../../src/lookup/transport.js";
import { caught } from "../support/caught.js";
import { fakeClock } from "../support/fake-clock.js";

/** A request that ends when the test says so. */
class OpenExchange implements Exchange {
  resolve!: (answer: Answer) => void;
  reject!: (error: RiskGateError) => void;
  cancelled = 0;
  head: Answer | undefined;
  isUnread = false;
  readonly answer = new Promise<Answer>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  cancel(): void {
    this.cancelled++;
  }
}

/** A client with one place whose requests and reports to the breaker can be looked at. */
function openContext(
  options: { retries?: number; refusal?: () => RiskGateError | undefined } = {},
) {
  const exchanges: OpenExchange[] = [];
  const settled: string[] = [];
  const calls = new Map<string, Call<string>>();
  const breaker = new (class extends LookupBreaker {
    override refusal(): RiskGateError | undefined {
      return options.refusal?.();
    }

    override fail(_: unknown, error: RiskGateError | undefined): void {
      settled.push(error?.code ?? "nothing");
    }

    override settle(): void {
      settled.push("works");
    }
  })({ failures: 10, coolDownMs: 100 });
  const client: ClientContext = {
    transport: {
      send() {
        const exchange = new OpenExchange();
        exchanges.push(exchange);
        return exchange;
      },
      close: async () => {},
    },
    semaphore: createSemaphore(1),
    breaker,
    timeoutMs: 1000,
    retries: options.retries ?? 0,
    now: () => performance.now(),
    redact: (text) => text,
  };
  /** Starts a call with one caller. */
  const ask = (
    caller?: LookupOptions,
    target: Partial<CallTarget<string>> = {},
  ): { call: Call<string>; result: Promise<string> } => {
    const call = new Call<string>(
      client,
      {
        recall: undefined,
        read: (_, { body }) => body.toString(),
        failed: () => {},
        staleAnswer: () => undefined,
        calls,
        ...target,
      },
      "key",
      "/",
    );
    calls.set("key", call);
    return { call, result: call.wait(caller) };
  };
  return { client, exchanges, settled, calls, ask };
}

const answer = (status: number): Answer => ({
  status,
  body: Buffer.from("found"),
  header: () => undefined,
});
const aborted = new RiskGateError("ABORTED", "enough");
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("Call", () => {
  it("asks once, and reports to the breaker once", async () => {
    const { exchanges, settled, calls, ask } = openContext();
    const { call, result } = ask();
    exchanges[0]?.resolve(answer(200));
    expect(await result).toBe("found");
    call.cancel(aborted);
    expect([call.attempts, settled, calls.size]).toEqual([1, ["works"], 0]);
  });

  it("does not ask the service or the breaker for an answer that it recalls", async () => {
    const { exchanges, settled, ask } = openContext();
    expect(await ask({}, { recall: async () => "recalled" }).result).toBe("recalled");
    expect([exchanges, settled]).toEqual([[], []]);
  });

  it("is cancelled while it recalls, and sends nothing afterwards", async () => {
    const { exchanges, settled, ask } = openContext();
    for (const late of [undefined, "recalled"]) {
      let recalled!: (value: string | undefined) => void;
      const recall = (): Promise<string | undefined> =>
        new Promise((resolve) => (recalled = resolve));
      const { call, result } = ask({}, { recall });
      call.cancel(aborted);
      expect(await caught(result)).toBe(aborted);
      recalled(late);
      await turn();
    }
    expect([exchanges, settled]).toEqual([[], []]);
  });

  it("is cancelled between recall and request", async () => {
    const { exchanges, settled, ask } = openContext();
    const { call, result } = ask({}, { recall: async () => undefined });
    queueMicrotask(() => call.cancel(aborted));
    expect(await caught(result)).toBe(aborted);
    await turn();
    expect(exchanges.filter(({ cancelled }) => cancelled === 0)).toEqual([]);
    expect(settled.filter((result) => result !== "nothing")).toEqual([]);
  });

  it("is cancelled in the queue, and leaves its place to the next", async () => {
    const { exchanges, settled, ask } = openContext();
    const first = ask();
    const second = ask();
    const third = ask();
    second.call.cancel(aborted);
    expect(await caught(second.result)).toBe(aborted);
    exchanges[0]?.resolve(answer(200));
    await first.result;
    exchanges[1]?.resolve(answer(200));
    expect(await third.result).toBe("found");
    expect([second.call.attempts, exchanges.length]).toEqual([0, 2]);
    expect(settled).toEqual(["nothing", "works", "works"]);
  });

  it("keeps its place after a cancellation until the connection is free", async () => {
    const { exchanges, settled, ask } = openContext();
    const first = ask();
    const second = ask();
    first.call.cancel(aborted);
    first.call.cancel(aborted);
    expect(await caught(first.result)).toBe(aborted);
    expect([exchanges.length, exchanges[0]?.cancelled]).toEqual([1, 1]);
    exchanges[0]?.reject(new RiskGateError("NETWORK", "cancelled"));
    await turn();
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.resolve(answer(200));
    expect(await second.result).toBe("found");
    expect(settled).toEqual(["nothing", "works"]);
  });

  it("ignores an answer that comes after a cancellation", async () => {
    const { exchanges, settled, ask } = openContext();
    let reads = 0;
    const { call, result } = ask({}, { read: () => `read ${++reads}` });
    call.cancel(aborted);
    exchanges[0]?.resolve(answer(200));
    expect(await caught(result)).toBe(aborted);
    await turn();
    expect([reads, settled]).toEqual([0, ["nothing"]]);
  });

  it("is cancelled in the pause before the second request", async () => {
    const pass = fakeClock();
    const { exchanges, settled, ask } = openContext({ retries: 1 });
    const { call, result } = ask();
    const error = caught(result);
    exchanges[0]?.resolve(answer(503));
    await pass(1);
    call.cancel(aborted);
    expect(await error).toBe(aborted);
    await pass(500);
    expect([exchanges.length, settled]).toEqual([1, ["nothing"]]);
  });

  it("pauses before the second request without a place", async () => {
    const pass = fakeClock();
    const { exchanges, ask } = openContext({ retries: 1 });
    const first = ask();
    const second = ask();
    exchanges[0]?.resolve(answer(503));
    await pass(0);
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.resolve(answer(200));
    expect(await second.result).toBe("found");
    await pass(60);
    exchanges[2]?.resolve(answer(200));
    expect(await first.result).toBe("found");
  });

  it("reports a time-out as an outage only if a request was sent", async () => {
    const pass = fakeClock();
    const { exchanges, settled, ask } = openContext();
    const errors = [caught(ask().result), caught(ask().result)];
    await pass(999);
    expect(exchanges[0]?.cancelled).toBe(0);
    await pass(1);
    expect((await Promise.all(errors)).map(({ code, message }) => [code, message])).toEqual([
      ["TIMEOUT", "no response within 1000 ms"],
      ["TIMEOUT", "no free connection within 1000 ms"],
    ]);
    expect(settled).toEqual(["TIMEOUT", "nothing"]);
  });

  it("cancels the request if sending it cancels the call", async () => {
    const pass = fakeClock();
    const { client, exchanges, ask } = openContext({ retries: 1 });
    const { transport } = client;
    const send = transport.send.bind(transport);
    const { call, result } = ask();
    transport.send = (request, isFresh) => {
      call.cancel(aborted);
      return send(request, isFresh);
    };
    const error = caught(result);
    exchanges[0]?.resolve(answer(503));
    await pass(60);
    expect(await error).toBe(aborted);
    expect(exchanges[1]?.cancelled).toBe(1);
  });

  it("sends a request that was not read again at once, also without retries", async () => {
    const { exchanges, ask } = openContext();
    const { result } = ask();
    const [exchange] = exchanges;
    if (exchange) exchange.isUnread = true;
    exchange?.reject(new RiskGateError("NETWORK", "closed"));
    await turn();
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.resolve(answer(200));
    expect(await result).toBe("found");
  });

  it("turns any thrown value into an error with a code", async () => {
    const { client, settled, ask } = openContext();
    const { transport } = client;
    const send = transport.send.bind(transport);
    transport.send = () => {
      throw new TypeError("mine");
    };
    expect((await caught(ask().result)).code).toBe("NETWORK");
    // Its place is free again.
    transport.send = send;
    const { call, result } = ask();
    await turn();
    expect(call.attempts).toBe(1);
    call.cancel(aborted);
    await caught(result);
    expect(settled).toEqual(["nothing", "nothing"]);
  });
});

describe("callers of one call", () => {
  it("keep it until the last one has left, whose signal ends it", async () => {
    const { exchanges, calls, ask } = openContext();
    const [hasty, last] = [new AbortController(), new AbortController()];
    const { call, result } = ask({ signal: hasty.signal });
    const lasting = call.wait({ signal: last.signal });
    hasty.abort(new Error("enough"));
    const error = await caught(result);
    expect([error.code, error.cause]).toEqual(["ABORTED", new Error("enough")]);
    expect([calls.size, exchanges[0]?.cancelled]).toEqual([1, 0]);
    last.abort();
    expect((await caught(lasting)).code).toBe("ABORTED");
    expect([calls.size, exchanges[0]?.cancelled]).toEqual([0, 1]);
  });

  it("get the result without a signal, although one with a signal leaves", async () => {
    const { exchanges, ask } = openContext();
    const controller = new AbortController();
    const { call, result } = ask();
    const hasty = call.wait({ signal: controller.signal });
    controller.abort();
    await caught(hasty);
    exchanges[0]?.resolve(answer(200));
    expect(await result).toBe("found");
  });

  it("leave no listener and no timer behind", async () => {
    const pass = fakeClock();
    const { exchanges, ask } = openContext();
    const { signal } = new AbortController();
    const { call, result } = ask({ signal, timeoutMs: 500 });
    const late = caught(call.wait({ signal, timeoutMs: 100 }));
    await pass(100);
    expect((await late).code).toBe("TIMEOUT");
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    exchanges[0]?.resolve(answer(200));
    expect(await result).toBe("found");
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("end it with the last one, by time or by signal", async () => {
    const pass = fakeClock();
    const { calls, ask } = openContext();
    const controller = new AbortController();
    const { call, result } = ask({ signal: controller.signal, timeoutMs: 100 });
    const late = caught(call.wait({ timeoutMs: 50 }));
    await pass(50);
    expect((await late).code).toBe("TIMEOUT");
    expect(calls.size).toBe(1);
    controller.abort();
    expect((await caught(result)).code).toBe("ABORTED");
    await pass(50);
    expect(calls.size).toBe(0);
  });

  it("get TIMEOUT at the end of their time, and the breaker receives it once", async () => {
    const pass = fakeClock();
    const { exchanges, settled, ask } = openContext();
    const { call, result } = ask();
    const late = [caught(call.wait({ timeoutMs: 50 })), caught(call.wait({ timeoutMs: 60 }))];
    await pass(60);
    expect((await Promise.all(late)).map(({ message }) => message)).toEqual([
      "no response within 50 ms",
      "no response within 60 ms",
    ]);
    exchanges[0]?.resolve(answer(200));
    expect(await result).toBe("found");
    expect(settled).toEqual(["TIMEOUT"]);
  });

  it("get the stale answer at the end of their time", async () => {
    const pass = fakeClock();
    const { exchanges, ask } = openContext();
    const { call, result } = ask({}, { staleAnswer: (_, { code }) => `stale, ${code}` });
    const late = call.wait({ timeoutMs: 50 });
    await pass(50);
    expect(await late).toBe("stale, TIMEOUT");
    exchanges[0]?.resolve(answer(200));
    expect(await result).toBe("found");
  });

  it("that leave the queue say nothing to the breaker", async () => {
    const pass = fakeClock();
    const { exchanges, settled, ask } = openContext();
    const first = ask();
    const second = ask();
    const late = caught(second.call.wait({ timeoutMs: 50 }));
    await pass(50);
    expect((await late).message).toBe("no free connection within 50 ms");
    exchanges[0]?.resolve(answer(200));
    await first.result;
    exchanges[1]?.resolve(answer(200));
    expect(await second.result).toBe("found");
    expect(settled).toEqual(["works", "works"]);
  });

  it("get the last refusal of the service at the end of their time", async () => {
    const pass = fakeClock();
    const { exchanges, settled, ask } = openContext({ retries: 1 });
    const { call, result } = ask();
    exchanges[0]?.resolve(answer(503));
    await pass(0);
    const late = [caught(call.wait({ timeoutMs: 10 })), caught(call.wait({ timeoutMs: 100 }))];
    await pass(100);
    const error = caught(result);
    await pass(1000);
    const codes = (await Promise.all([...late, error])).map(({ code }) => code);
    expect(codes).toEqual(["UPSTREAM_STATUS", "UPSTREAM_STATUS", "UPSTREAM_STATUS"]);
    expect(settled).toEqual(["UPSTREAM_STATUS"]);
  });

  it.each([
    [200, "TIMEOUT"],
    [400, "BAD_REQUEST"],
    [429, "RATE_LIMITED"],
  ])("get the refusal in the head of a %d at the end of their time: %s", async (status, code) => {
    const pass = fakeClock();
    const { exchanges, settled, ask } = openContext();
    const { call, result } = ask();
    for (const exchange of exchanges) exchange.head = answer(status);
    const late = [caught(call.wait({ timeoutMs: 10 })), caught(call.wait({ timeoutMs: 20 }))];
    await pass(20);
    expect((await Promise.all(late)).map((error) => error.code)).toEqual([code, code]);
    call.cancel(aborted);
    expect(await caught(result)).toBe(aborted);
    expect(settled).toEqual([code]);
  });

  it("do not join a request that hangs while the breaker is open", async () => {
    let refusal: RiskGateError | undefined;
    const { exchanges, ask } = openContext({ refusal: () => refusal });
    const { call, result } = ask();
    refusal = new RiskGateError("NETWORK", "open");
    expect(await caught(call.wait())).toBe(refusal);
    exchanges[0]?.resolve(answer(200));
    expect(await result).toBe("found");
  });
});
