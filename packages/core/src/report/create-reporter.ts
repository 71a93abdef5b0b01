import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { Batch } from "../outgoing/batch-queue.js";
import { createDropNotice } from "../outgoing/drop-notice.js";
import { Shipper } from "../outgoing/shipper.js";
import { CountSender } from "./count-sender.js";
import type { BatchAnswer } from "./report-answer.js";
import { closedError, ReportSender } from "./report-sender.js";
import { createStamp, eventText, labelText, loginText } from "./report-text.js";
import { checkCount, checkEvent, checkLabel, checkLogin } from "./report.js";
import type { Reporter } from "./reporter.js";
import { readReporterOptions, type ReporterOptions } from "./reporter-options.js";

/**
 * Creates a reporter, which sends an application's reports to its service in batches in the
 * background. It connects on the first report. A batch is retried until the service responds or the
 * attempts are used up; ids and times keep the service from counting anything twice. If the process
 * exits without `close()`, queued reports are lost.
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
  const sender = new ReportSender(settings);
  const notice = createDropNotice(settings.onDrop);
  const stamp = createStamp(Date.now);
  const sums = { accepted: 0, duplicates: 0, refused: 0 };

  const refuse = (error: RiskGateError, reports: number): void => {
    sums.refused += reports;
    notice.add(error, reports);
  };
  const settle = (sent: number, { accepted, duplicates, refused, reason }: BatchAnswer): void => {
    sums.accepted += accepted;
    sums.duplicates += duplicates;
    if (refused > 0) refuse(refusedError(reason ?? `it accepted ${accepted} of ${sent}`), refused);
  };
  const deliver = async ({ kind, texts }: Batch): Promise<void> => {
    try {
      settle(texts.length, await sender.deliver(kind, `[${texts.join(",")}]`, settings.retries));
    } catch (thrown) {
      const error = thrown as RiskGateError;
      // Only the body of a success response is read completely.
      if (error.code === "RESPONSE_TOO_LARGE") sums.accepted += texts.length;
      else shipper.drop(error, texts.length);
    }
  };
  const counts = new CountSender(sender, (error, number) => notice.add(error, 0, number));
  const shipper = new Shipper({
    ...settings,
    kinds: ["events", "logins", "labels"],
    deliver,
    first: counts,
    onDrop: (error, reports) => notice.add(error, reports),
    fullError,
    closedError,
    stop: () => sender.stop(),
    async release() {
      notice.flush();
      await sender.close();
    },
  });

  /** Reads an application's report, which must never fail the request that made it. */
  const accept = (read: () => void): void => {
    try {
      read();
    } catch (thrown) {
      refuse(isRiskGateError(thrown) ? thrown : unreadable(thrown), 1);
    }
  };

  return Object.freeze({
    event: (report) => accept(() => shipper.add("events", eventText(checkEvent(report), stamp))),
    login: (report) => accept(() => shipper.add("logins", loginText(checkLogin(report), stamp))),
    label: (report) => accept(() => shipper.add("labels", labelText(checkLabel(report), stamp))),
    count: (counter, by = 1) =>
      accept(() => {
        checkCount(counter, by);
        if (shipper.isClosed) {
          counts.drop(closedError(), by);
          return;
        }
        const forgotten = counts.add(counter, by);
        if (forgotten > 0) counts.drop(fullError(), forgotten);
        shipper.wake();
      }),
    stats: () => ({
      queued: shipper.queue.size,
      queuedBytes: shipper.queue.bytes,
      ...sums,
      dropped: shipper.dropped,
      counts: { queued: counts.size, accepted: counts.accepted, dropped: counts.dropped },
    }),
    flush: () => shipper.flush(),
    close: () => shipper.close(),
    [Symbol.asyncDispose]: () => shipper.close(),
  } satisfies Reporter);
}

function fullError(): RiskGateError {
  return new RiskGateError("REPORT_QUEUE_FULL", "too many reports are waiting to be sent");
}

function refusedError(why: string): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", `the service rejected a report: ${why}`, {
    hint: why.includes("by the clock of the service")
      ? "Compare the clocks of this machine and of the service, and correct the wrong one"
      : "Correct the report; others in its batch are not affected",
  });
}

function unreadable(cause: unknown): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", "reading the report threw an error", { cause });
}
