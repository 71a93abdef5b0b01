import type { Awaitable } from "../model/awaitable.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { warn } from "../base/warning.js";
import type { DecisionLog } from "./log-step.js";
import { createDropNotice } from "../report/drop-notice.js";
import { recordOf } from "./decision-record.js";
import type { DroppedDecisions, QueuedLogSettings } from "./log-options.js";
import { type Batch, RecordQueue } from "./record-queue.js";

/** A log that writes in the background. No method throws or rejects. */
export interface QueuedDecisionLog extends DecisionLog {
  /** What has become of the decisions so far. */
  stats(): DecisionLogStats;
  /** Resolves when nothing waits to be written, or the time for it is over. */
  flush(): Promise<void>;
  /** Flush, take no more decisions, and let go of everything. Later decisions are dropped. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Numbers of decisions. */
export interface DecisionLogStats {
  readonly queued: number;
  /** Bytes of JSON that those take. */
  readonly queuedBytes: number;
  readonly written: number;
  readonly dropped: number;
}

/** Where records go. */
export interface RecordSink {
  /**
   * Write records, each one line of JSON without its end. Where this throws, the same array comes again
   * later; it is never called again before it has settled.
   */
  write(batch: Batch): Awaitable<void>;
  /** Let go of everything. */
  close?(): Awaitable<void>;
}

/** Longest wait after a failure. */
const MAX_PAUSE_MS = 30_000;

const QUIET_MS = 60_000;

/** Make a log over a sink: records wait in a bounded queue and are written in batches. */
export function createQueuedLog(settings: QueuedLogSettings, sink: RecordSink): QueuedDecisionLog {
  const { digest, intervalMs, limits, flushTimeoutMs, report, onDrop } = settings;
  const queue = new RecordQueue(limits);
  const hook = onDrop ?? warnOf;
  const notice = createDropNotice(({ reports, error }) => hook({ decisions: reports, error }));
  let written = 0;
  let dropped = 0;
  let failures = 0;
  let lastError: RiskGateError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timerMs = Infinity;
  let running: Promise<boolean> | undefined;
  let closing: Promise<void> | undefined;
  let fullError: RiskGateError | undefined;
  // Made once: there is one for each record of a flood.
  const full = (): RiskGateError =>
    (fullError ??= new RiskGateError("LOG_QUEUE_FULL", "Too many decisions wait to be written"));

  const drop = (error: RiskGateError, decisions: number): void => {
    if (decisions === 0) return;
    dropped += decisions;
    notice.add(error, decisions);
  };

  const add = (text: string): void => {
    if (queue.add(text)) schedule(queue.isDue && failures === 0 ? 0 : pauseMs());
    // Where the sink fails, the full queue is only what follows.
    else drop(lastError ?? full(), 1);
  };
  /** Write soon: in a turn of its own, which no request waits for. */
  const schedule = (ms: number): void => {
    if (running || closing || ms >= timerMs) return;
    clearTimeout(timer);
    timerMs = ms;
    timer = setTimeout(() => void run(), ms).unref();
  };
  const run = (): Promise<boolean> => {
    clearTimeout(timer);
    timerMs = Infinity;
    running ??= writeAll().finally(() => {
      running = undefined;
      if (queue.size > 0) schedule(pauseMs());
    });
    return running;
  };
  const pauseMs = (): number =>
    Math.max(intervalMs, failures && Math.min(MAX_PAUSE_MS, 500 * 2 ** failures));

  /** False at the first failure: what could not be written waits for the next run. */
  const writeAll = async (): Promise<boolean> => {
    for (let batch = queue.next(); batch; batch = queue.next()) {
      try {
        await sink.write(batch);
      } catch (cause) {
        failures++;
        lastError = isRiskGateError(cause) ? cause : writeError(cause);
        report(lastError);
        return false;
      }
      written += batch.length;
      failures = 0;
      lastError = undefined;
      queue.remove();
    }
    return true;
  };

  /** Resolves once nothing waits, or a run has failed. */
  const drain = async (): Promise<void> => {
    await running;
    while ((await run()) && queue.size > 0);
  };
  const flush = (): Promise<void> => within(flushTimeoutMs, drain());
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    await flush();
    for (let batch = queue.next(); batch; batch = queue.next()) {
      queue.remove();
      drop(lastError ?? aborted(), batch.length);
    }
    notice.flush();
    await within(flushTimeoutMs, closeSink());
  };
  const closeSink = async (): Promise<void> => {
    try {
      await sink.close?.();
    } catch (cause) {
      report(isRiskGateError(cause) ? cause : writeError(cause));
    }
  };
  const closeOnce = (): Promise<void> => (closing ??= Promise.resolve().then(close));

  return Object.freeze({
    record(made) {
      if (closing) {
        drop(aborted(), 1);
        return;
      }
      try {
        add(JSON.stringify(recordOf(made, digest, Date.now())));
      } catch (cause) {
        drop(unreadable(cause), 1);
      }
    },
    stats: () => ({ queued: queue.size, queuedBytes: queue.bytes, written, dropped }),
    flush: () => closing ?? flush(),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  } satisfies QueuedDecisionLog);
}

/** Resolve with `work`, or when the time is over. The timer keeps the process: somebody waits. */
function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

function writeError(cause: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the log of decisions could not be written", {
    cause,
    hint: "Check the place of the log; the decisions wait in memory, as far as there is room",
  });
}

/** An assessment of the application's own lookup may throw where it is read. */
function unreadable(cause: unknown): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", "a decision threw while it was recorded", {
    cause,
    hint: "See `cause`: the assessment of a lookup, or the caller of the log",
  });
}

function aborted(): RiskGateError {
  return new RiskGateError("ABORTED", "the log of decisions was closed", {
    hint: "Close the log after the server that decides",
  });
}

function warnOf({ error }: DroppedDecisions): void {
  warn(
    "RISKGATE_DECISIONS_DROPPED",
    `riskgate dropped decisions from their log for ${error.code}. ${error.hint}. Set the option \`onDrop\` to see how many`,
    QUIET_MS,
  );
}
