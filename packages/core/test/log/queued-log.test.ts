import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/base/options.js";
import { type DroppedDecisions, readQueuedLog } from "../../src/log/log-options.js";
import { createQueuedLog, type RecordSink } from "../../src/log/queued-log.js";
import type { MadeDecision } from "../../src/log/log-step.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { madeDecision, SECRET } from "../support/made-decision.js";
import { collectWarnings } from "../support/warnings.js";

function stage(sink: RecordSink, options: object = {}) {
  const drops: DroppedDecisions[] = [];
  const errors: string[] = [];
  const given = {
    secret: SECRET,
    onDrop: (dropped: DroppedDecisions) => void drops.push(dropped),
    onError: ({ code }: { code: string }) => void errors.push(code),
    ...options,
  };
  const log = createQueuedLog(readOptions("test", given, readQueuedLog), sink);
  return { log, drops, errors };
}

describe("createQueuedLog", () => {
  it("writes batches one after the other, in order", async () => {
    const sizes: number[] = [];
    let isWriting = false;
    const { log } = stage(
      {
        async write(batch) {
          expect(isWriting).toBe(false);
          isWriting = true;
          await Promise.resolve();
          sizes.push(batch.length);
          isWriting = false;
        },
      },
      { batchSize: 10 },
    );
    for (let n = 0; n < 25; n++) log.record(madeDecision());
    await log.close();
    expect(sizes).toEqual([10, 10, 5]);
  });

  it("drops and counts records above its limit, while the sink never answers", async () => {
    const { log, drops } = stage(
      { write: () => new Promise(() => {}) },
      { maxQueued: 5, flushTimeoutMs: 1 },
    );
    for (let n = 0; n < 100; n++) log.record(madeDecision());
    expect(log.stats()).toMatchObject({ queued: 5, dropped: 95, written: 0 });
    expect(drops).toMatchObject([{ decisions: 1, error: { code: "LOG_QUEUE_FULL" } }]);
    await log.close();
    expect(log.stats()).toEqual({ queued: 0, queuedBytes: 0, written: 0, dropped: 100 });
    expect(drops.reduce((sum, { decisions }) => sum + decisions, 0)).toBe(100);
    expect(new Set(drops.map(({ error }) => error.code))).toEqual(
      new Set(["LOG_QUEUE_FULL", "ABORTED"]),
    );
  });

  it("keeps within its bytes", () => {
    const { log } = stage({ write() {} }, { maxQueuedBytes: 2_000, intervalMs: 100_000 });
    for (let n = 0; n < 100; n++) log.record(madeDecision());
    const { queued, queuedBytes, dropped } = log.stats();
    expect(queuedBytes).toBeLessThanOrEqual(2_000);
    expect(queued).toBeGreaterThan(1);
    expect(queued + dropped).toBe(100);
  });

  it("writes a failed batch again, unchanged, and loses nothing", async () => {
    const seen: (readonly string[])[] = [];
    let failures = 2;
    const { log, errors, drops } = stage(
      {
        write(batch) {
          seen.push(batch);
          if (failures-- > 0) throw new Error("disk full");
        },
      },
      { intervalMs: 1 },
    );
    log.record(madeDecision());
    await log.flush();
    log.record(madeDecision());
    await log.flush();
    await log.flush();
    expect(seen.length).toBe(4);
    expect(seen.at(1)).toBe(seen.at(0));
    expect(seen.at(2)).toBe(seen.at(0));
    expect(log.stats()).toMatchObject({ queued: 0, written: 2, dropped: 0 });
    expect([errors, drops]).toEqual([["STORE_FAILED", "STORE_FAILED"], []]);
    await log.close();
  });

  it("names the failure of the sink as the reason of a drop", async () => {
    const { log, drops } = stage(
      {
        write() {
          throw new Error("disk full");
        },
      },
      { maxQueued: 1 },
    );
    log.record(madeDecision());
    await log.flush();
    log.record(madeDecision());
    await log.close();
    expect(log.stats()).toMatchObject({ queued: 0, dropped: 2 });
    expect(drops.map(({ error }) => error.code)).toEqual(["STORE_FAILED", "STORE_FAILED"]);
  });

  it("drops decisions after it was closed, and closes its sink once", async () => {
    let closes = 0;
    const { log, drops } = stage({ write() {}, close: () => void closes++ });
    await Promise.all([log.close(), log.close(), log[Symbol.asyncDispose]()]);
    log.record(madeDecision());
    await log.flush();
    expect(closes).toBe(1);
    expect(drops).toMatchObject([{ decisions: 1, error: { code: "ABORTED" } }]);
  });

  it("survives hooks and a sink that throw, reject and hang", async () => {
    const rejections = unhandledRejections();
    const { log } = stage(
      {
        write: () => Promise.reject(new Error("no")),
        close: () => Promise.reject(new Error("no")),
      },
      {
        flushTimeoutMs: 1,
        onDrop: () => Promise.reject(new Error("no")),
        onError() {
          throw new Error("no");
        },
      },
    );
    log.record(madeDecision());
    await log.flush();
    await log.close();
    expect(log.stats().dropped).toBe(1);
    expect(await rejections()).toBe(0);
  });

  it("warns without `onDrop`", async () => {
    const warnings = collectWarnings();
    const { log } = stage({ write() {} }, { onDrop: undefined });
    await log.close();
    log.record(madeDecision());
    expect(await warnings()).toEqual(["RISKGATE_DECISIONS_DROPPED"]);
  });

  it.each<[string, MadeDecision]>([
    ["something that is not a decision", {} as MadeDecision],
    [
      "an assessment that throws when it is read",
      madeDecision({
        ip: {
          state: "scored",
          source: "live",
          assessment: {
            risk_score: 1,
            get is_vpn(): boolean {
              throw new Error("no");
            },
          },
        },
      }),
    ],
  ])("drops %s", (_, made) => {
    const { log, drops } = stage({ write() {} });
    log.record(made);
    expect(drops).toMatchObject([{ decisions: 1, error: { code: "INVALID_ARGUMENT" } }]);
  });
});
