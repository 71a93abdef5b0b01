import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { Call, type ClientContext } from "../../src/lookup/call.js";
import type { Breaker } from "../../src/lookup/circuit-breaker.js";
import { createSemaphore } from "../../src/lookup/semaphore.js";
import type { Answer, Exchange } from "../../src/lookup/transport.js";
import { caught, thrown } from "../support/caught.js";
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
function openContext(options: { retries?: number } = {}) {
  const exchanges: OpenExchange[] = [];
  const settled: (string | null | undefined)[] = [];
  const breaker: Breaker = {
    admit: () => "call",
    refusal: () => undefined,
    heed: () => {},
    settle: (_, error) => void settled.push(error ? error.code : error),
  };
  const client: ClientContext = {
    transport: {
      get() {
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
  const call = (recall?: () => Promise<string | undefined>): Call<string> =>
    new Call(client, {
      path: "/",
      recall,
      read: ({ body }) => body.toString(),
      staleAnswer: () => undefined,
    });
  return { client, exchanges, settled, call };
}

/** The code that a call gives a caller whose time is over. */
function expired(asking: Call<string>): string {
  return thrown(() => asking.expire(50)).code;
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
    const { exchanges, settled, call } = openContext();
    const asking = call();
    exchanges[0]?.resolve(answer(200));
    expect(await asking.result).toBe("found");
    asking.cancel(aborted);
    expect([asking.attempts, settled]).toEqual([1, [undefined]]);
  });

  it("does not ask for what is recalled, nor the breaker", async () => {
    const { exchanges, settled, call } = openContext();
    expect(await call(async () => "recalled").result).toBe("recalled");
    expect([exchanges, settled]).toEqual([[], []]);
  });

  it("is cancelled while it recalls, and sends nothing afterwards", async () => {
    const { exchanges, settled, call } = openContext();
    let recalled!: (value: undefined) => void;
    const asking = call(() => new Promise((resolve) => (recalled = resolve)));
    asking.cancel(aborted);
    expect(await caught(asking.result)).toBe(aborted);
    recalled(undefined);
    await turn();
    expect([exchanges, settled]).toEqual([[], []]);
  });

  it("is cancelled between recall and request", async () => {
    const { exchanges, settled, call } = openContext();
    const asking = call(async () => {
      queueMicrotask(() => queueMicrotask(() => asking.cancel(aborted)));
      return undefined;
    });
    expect(await caught(asking.result)).toBe(aborted);
    await turn();
    expect(exchanges.length - exchanges.filter(({ cancelled }) => cancelled > 0).length).toBe(0);
    expect(settled.every((error) => error === null)).toBe(true);
  });

  it("is cancelled in the queue, and leaves its place to the next", async () => {
    const { exchanges, settled, call } = openContext();
    const first = call();
    const second = call();
    const third = call();
    second.cancel(aborted);
    expect(await caught(second.result)).toBe(aborted);
    exchanges[0]?.resolve(answer(200));
    await first.result;
    exchanges[1]?.resolve(answer(200));
    expect(await third.result).toBe("found");
    expect([second.attempts, exchanges.length]).toEqual([0, 2]);
    expect(settled).toEqual([null, undefined, undefined]);
  });

  it("keeps its place after a cancellation until the connection is free", async () => {
    const { exchanges, settled, call } = openContext();
    const first = call();
    const second = call();
    first.cancel(aborted);
    first.cancel(aborted);
    expect(await caught(first.result)).toBe(aborted);
    expect([exchanges.length, exchanges[0]?.cancelled]).toEqual([1, 1]);
    exchanges[0]?.reject(new RiskGateError("NETWORK", "cancelled"));
    await turn();
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.resolve(answer(200));
    expect(await second.result).toBe("found");
    expect(settled).toEqual([null, undefined]);
  });

  it("is cancelled in the pause before the second request", async () => {
    const pass = fakeClock();
    const { exchanges, settled, call } = openContext({ retries: 1 });
    const asking = call();
    const error = caught(asking.result);
    exchanges[0]?.resolve(answer(503));
    await pass(1);
    asking.cancel(aborted);
    expect(await error).toBe(aborted);
    await pass(500);
    expect([exchanges.length, settled]).toEqual([1, [null]]);
  });

  it("pauses before the second request without a place", async () => {
    const pass = fakeClock();
    const { exchanges, call } = openContext({ retries: 1 });
    const first = call();
    const second = call();
    exchanges[0]?.resolve(answer(503));
    await pass(0);
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.resolve(answer(200));
    expect(await second.result).toBe("found");
    await pass(60);
    exchanges[2]?.resolve(answer(200));
    expect(await first.result).toBe("found");
  });

  it("reports a time-out as an outage only when a request was sent", async () => {
    const pass = fakeClock();
    const { exchanges, settled, call } = openContext();
    const errors = [caught(call().result), caught(call().result)];
    await pass(999);
    expect(exchanges[0]?.cancelled).toBe(0);
    await pass(1);
    expect((await Promise.all(errors)).map(({ code, message }) => [code, message])).toEqual([
      ["TIMEOUT", "Expected an answer within 1000 ms, given none"],
      ["TIMEOUT", "Expected a free connection within 1000 ms, given none"],
    ]);
    expect(settled).toEqual(["TIMEOUT", null]);
  });

  it("cancels the request when sending it cancels the call", async () => {
    const { client, exchanges, call } = openContext({ retries: 1 });
    const { transport } = client;
    const get = transport.get.bind(transport);
    let asking: Call<string> | undefined;
    transport.get = (path, isFresh) => {
      asking?.cancel(aborted);
      return get(path, isFresh);
    };
    asking = call();
    exchanges[0]?.resolve(answer(503));
    expect(await caught(asking.result)).toBe(aborted);
    expect(exchanges[1]?.cancelled).toBe(1);
  });

  it("lets callers go for time, goes on, and counts for the breaker once", async () => {
    const { exchanges, settled, call } = openContext();
    const asking = call();
    expect([expired(asking), expired(asking)]).toEqual(["TIMEOUT", "TIMEOUT"]);
    exchanges[0]?.resolve(answer(200));
    expect(await asking.result).toBe("found");
    expect(settled).toEqual(["TIMEOUT"]);
  });

  it("says nothing to the breaker for callers that leave it in the queue", async () => {
    const { exchanges, settled, call } = openContext();
    const first = call();
    const second = call();
    expect(thrown(() => second.expire(50)).message).toBe(
      "Expected a free connection within 50 ms, given none",
    );
    exchanges[0]?.resolve(answer(200));
    await first.result;
    exchanges[1]?.resolve(answer(200));
    expect(await second.result).toBe("found");
    expect(settled).toEqual([undefined, undefined]);
  });

  it("gives callers without time what the service last said", async () => {
    const pass = fakeClock();
    const { exchanges, settled, call } = openContext({ retries: 1 });
    const asking = call();
    exchanges[0]?.resolve(answer(503));
    await pass(0);
    expect(expired(asking)).toBe("UPSTREAM_STATUS");
    await pass(60);
    expect(expired(asking)).toBe("UPSTREAM_STATUS");
    const error = caught(asking.result);
    await pass(1000);
    expect((await error).code).toBe("UPSTREAM_STATUS");
    expect(settled).toEqual(["UPSTREAM_STATUS"]);
  });

  it.each([
    [200, "TIMEOUT"],
    [400, "BAD_REQUEST"],
    [429, "RATE_LIMITED"],
  ])("gives callers without time what the head of a %d says: %s", async (status, code) => {
    const { exchanges, settled, call } = openContext();
    const asking = call();
    for (const exchange of exchanges) exchange.head = answer(status);
    expect([expired(asking), expired(asking)]).toEqual([code, code]);
    asking.cancel(aborted);
    expect(await caught(asking.result)).toBe(aborted);
    expect(settled).toEqual([code]);
  });

  it("sends a request that was not read again at once, also without retries", async () => {
    const { exchanges, call } = openContext();
    const asking = call();
    const [exchange] = exchanges;
    if (exchange) exchange.isUnread = true;
    exchange?.reject(new RiskGateError("NETWORK", "closed"));
    await turn();
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.resolve(answer(200));
    expect(await asking.result).toBe("found");
  });

  it("turns what is thrown on the way into an error with a code", async () => {
    const { client, settled, call } = openContext();
    const { transport } = client;
    const get = transport.get.bind(transport);
    transport.get = () => {
      throw new TypeError("mine");
    };
    expect((await caught(call().result)).code).toBe("NETWORK");
    // Its place is free again.
    transport.get = get;
    const asking = call();
    await turn();
    expect(asking.attempts).toBe(1);
    asking.cancel(aborted);
    await caught(asking.result);
    expect(settled).toEqual([null, null]);
  });
});
