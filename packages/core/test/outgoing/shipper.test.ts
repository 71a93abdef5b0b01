import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { Shipper, type ShipperSettings } from "../../src/outgoing/shipper.js";
import { fakeClock } from "../support/fake-clock.js";

const outage = new RiskGateError("NETWORK", "refused");

function stage(settings: Partial<ShipperSettings<"a">> & Pick<ShipperSettings<"a">, "deliver">) {
  const drops: [string, number][] = [];
  const shipper = new Shipper<"a">({
    kinds: ["a"],
    limits: { batchSize: 10, maxQueued: 10, maxQueuedBytes: 1_000 },
    intervalMs: 100,
    flushTimeoutMs: 50,
    onDrop: ({ code }, texts) => void drops.push([code, texts]),
    fullError: () => new RiskGateError("LOG_QUEUE_FULL", "full"),
    closedError: () => new RiskGateError("ABORTED", "closed"),
    release: async () => {},
    ...settings,
  });
  return { shipper, drops };
}

describe("Shipper", () => {
  it("pauses for longer and longer after failures, and starts again at the interval", async () => {
    const pass = fakeClock();
    const times: number[] = [];
    let failures = 3;
    const { shipper } = stage({
      deliver() {
        times.push(performance.now());
        if (failures-- > 0) throw outage;
      },
    });
    shipper.add("a", "1");
    await pass(100);
    for (const ms of [1_000, 2_000, 4_000]) await pass(ms);
    shipper.add("a", "2");
    await pass(100);
    const pauses = times.slice(1).map((ms, at) => Math.round(ms - (times[at] ?? 0)));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 100]);
    expect([shipper.delivered, shipper.queue.size]).toEqual([2, 0]);
  });

  it("counts a batch that settles after the shipper was closed as dropped only", async () => {
    const pass = fakeClock();
    let settle!: () => void;
    const { shipper, drops } = stage({
      deliver: () => new Promise((resolve) => (settle = resolve)),
    });
    shipper.add("a", "1");
    const closing = shipper.close();
    await pass(50);
    await closing;
    settle();
    await pass(0);
    expect([shipper.delivered, shipper.dropped, drops]).toEqual([0, 1, [["ABORTED", 1]]]);
  });

  it("ends the delivery under way when the time to flush is over", async () => {
    const pass = fakeClock();
    let reject!: (error: RiskGateError) => void;
    const { shipper, drops } = stage({
      deliver: () => new Promise((_, fail) => (reject = fail)),
      stop: () => reject(outage),
    });
    shipper.add("a", "1");
    const closing = shipper.close();
    await pass(50);
    await closing;
    expect(drops).toEqual([["NETWORK", 1]]);
  });
});
