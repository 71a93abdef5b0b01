import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { monotonicMs } from "../base/clock.js";
import { createDropNotice } from "./drop-notice.js";
import { countsText, type MinuteCounts, MinuteTally, totalOf } from "./minute-counts.js";
import { isTransient, isUntaken, readBatchAnswer } from "./report-answer.js";
import { type Batch, type Channel, ReportQueue } from "./report-queue.js";
import { aborted, ReportSender } from "./report-sender.js";
import { createStamp, eventText, loginText } from "./report-text.js";
import { checkCount, checkEvent, checkLogin } from "./report.js";
import type { Reporter } from "./reporter.js";
import { readReporterOptions, type ReporterOptions } from "./reporter-options.js";

/** How long counts wait, at least, when the service did not take them. */
const COUNTS_PAUSE_MS = 5_000;

/**
 * Make a reporter: what an application has seen goes to its service, in batches and in the background.
 *
 * Nothing is connected before the first report. A batch is sent again until it is answered or its
 * attempts are used up; the service knows by ids and times what it has counted. A process that ends
 * without `close()` loses what waits.
 *
 * @throws {RiskGateError} CONFIG_INVALID. No method of the reporter throws or rejects.
 *
 * @example
 * const reporter = createReporter({ baseUrl: "https://risk.example", reportKey });
 * reporter.event({ kind: "sql_injection", address: "203.0.113.7" });
 * reporter.login({ account: "ann@example.com", address: "203.0.113.7", success: false });
 * await reporter.close();
 */
export function createReporter(options: ReporterOptions): Reporter {
  const settings = readReporterOptions(options);
  const { intervalMs, retries, flushTimeoutMs } = settings;
  const queue = new ReportQueue(settings.limits);
  const tally = new MinuteTally();
  const sender = new ReportSender(settings);
  const notice = createDropNotice(settings.onDrop);
  const stamp = createStamp(Date.now);
  const ends = { accepted: 0, duplicates: 0, refused: 0, dropped: 0 };
  const counts = { sending: 0, accepted: 0, dropped: 0 };
  let fullError: RiskGateError | undefined;
  // Made once: there is one for each report of a flood.
  const full = (): RiskGateError =>
    (fullError ??= new RiskGateError("REPORT_QUEUE_FULL", "Too many reports wait to be sent"));
  let timer: NodeJS.Timeout | undefined;
  let timerMs = Infinity;
  let running: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isFlushing = false;
  /** When counts may be sent, after the service did not take them. */
  let countsAtMs = -Infinity;

  const drop = (error: RiskGateError, reports: number): void => {
    if (reports === 0) return;
    ends.dropped += reports;
    notice.add(error, reports);
  };
  const dropCounts = (error: RiskGateError, number: number): void => {
    if (number === 0) return;
    counts.dropped += number;
    notice.add(error, 0, number);
  };
  const refuse = (error: RiskGateError, reports: number): void => {
    ends.refused += reports;
    notice.add(error, reports);
  };

  /** Send soon: in a turn of its own, which no request waits for. */
  const schedule = (ms: number): void => {
    if (running || closing || ms >= timerMs) return;
    clearTimeout(timer);
    timerMs = ms;
    timer = setTimeout(() => void run(), ms).unref();
  };

  const run = (): Promise<void> => {
    clearTimeout(timer);
    timerMs = Infinity;
    running ??= sendAll().finally(() => {
      running = undefined;
      if (queue.size > 0 || tally.total > 0) schedule(intervalMs);
    });
    return running;
  };

  const sendAll = async (): Promise<void> => {
    const areCountsDue = isFlushing || monotonicMs() >= countsAtMs;
    for (let minute = areCountsDue && tally.take(); minute; minute = tally.take()) {
      if (!(await sendCounts(minute))) break;
    }
    for (let batch = queue.take(); batch; batch = queue.take()) await sendBatch(batch);
  };

  /** Once only: a sample that is sent twice would count twice. False where it waits for later. */
  const sendCounts = async (minute: MinuteCounts): Promise<boolean> => {
    counts.sending = totalOf(minute);
    try {
      readBatchAnswer(await sender.post("counters", countsText(minute), false));
      counts.accepted += counts.sending;
    } catch (thrown) {
      const error = thrown as RiskGateError;
      if (isUntaken(error) && !sender.isStopped) {
        tally.restore(minute);
        countsAtMs = monotonicMs() + Math.max(error.retryAfterMs ?? 0, COUNTS_PAUSE_MS);
        return false;
      }
      dropCounts(error, counts.sending);
    } finally {
      counts.sending = 0;
    }
    return true;
  };

  const sendBatch = async (batch: Batch): Promise<void> => {
    const { channel, texts } = batch;
    const body = `[${texts.join(",")}]`;
    for (let attempt = 0; ; attempt++) {
      try {
        settle(batch, readBatchAnswer(await sender.post(channel, body, attempt > 0)));
        break;
      } catch (thrown) {
        const error = thrown as RiskGateError;
        if (error.code === "RESPONSE_TOO_LARGE") {
          // Only an answer that accepts is read to its end.
          ends.accepted += texts.length;
          break;
        }
        if (attempt >= retries || !isTransient(error) || sender.isStopped) {
          drop(error, texts.length);
          break;
        }
        await sender.pause(attempt, error.retryAfterMs);
      }
    }
    queue.settle(batch);
  };

  const settle = ({ texts }: Batch, answer: ReturnType<typeof readBatchAnswer>): void => {
    ends.accepted += answer.accepted;
    ends.duplicates += answer.duplicates;
    if (answer.refused === 0) return;
    const why = answer.reason ?? `it took ${answer.accepted} of ${texts.length}`;
    refuse(
      new RiskGateError("INVALID_ARGUMENT", `The service refused a report: ${why}`, {
        hint: "Correct the report; the others of its batch are not affected",
      }),
      answer.refused,
    );
  };

  /** Run what reads a report of the application, which must not fail the request that made it. */
  const take = (read: () => void): void => {
    try {
      read();
    } catch (thrown) {
      const error = isRiskGateError(thrown)
        ? thrown
        : new RiskGateError("INVALID_ARGUMENT", "the report threw while it was read", {
            cause: thrown,
          });
      refuse(error, 1);
    }
  };
  const enqueue = (channel: Channel, text: string): void => {
    if (closing) drop(aborted(), 1);
    else if (queue.add(channel, text)) schedule(queue.isDue ? 0 : intervalMs);
    else drop(full(), 1);
  };

  const drain = async (): Promise<void> => {
    await running;
    isFlushing = true;
    do await run();
    while (queue.size > 0 && !sender.isStopped);
    isFlushing = false;
  };
  const flush = (): Promise<void> =>
    new Promise((resolve) => {
      // Unlike all others, this timer keeps the process: somebody waits.
      const late = setTimeout(resolve, flushTimeoutMs);
      void drain().finally(() => {
        clearTimeout(late);
        resolve();
      });
    });
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    await flush();
    sender.stop();
    await running;
    for (let batch = queue.take(); batch; batch = queue.take()) {
      queue.settle(batch);
      drop(aborted(), batch.texts.length);
    }
    for (let minute = tally.take(); minute; minute = tally.take()) {
      dropCounts(aborted(), totalOf(minute));
    }
    notice.flush();
    await sender.close();
  };
  const closeOnce = (): Promise<void> => (closing ??= Promise.resolve().then(close));

  return Object.freeze({
    event: (report) => take(() => enqueue("events", eventText(checkEvent(report), stamp))),
    login: (report) => take(() => enqueue("logins", loginText(checkLogin(report), stamp))),
    count: (counter, by = 1) =>
      take(() => {
        checkCount(counter, by);
        if (closing) {
          dropCounts(aborted(), by);
          return;
        }
        const forgotten = tally.add(counter, by, Date.now());
        if (forgotten > 0) dropCounts(full(), forgotten);
        schedule(intervalMs);
      }),
    stats: () => ({
      queued: queue.size,
      queuedBytes: queue.bytes,
      ...ends,
      counts: {
        queued: tally.total + counts.sending,
        accepted: counts.accepted,
        dropped: counts.dropped,
      },
    }),
    flush: () => (closing ? closing : flush()),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  } satisfies Reporter);
}
