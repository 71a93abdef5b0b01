import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { warn } from "../base/warning.js";
import type { Awaitable } from "../model/awaitable.js";
import { createDropNotice } from "../outgoing/drop-notice.js";
import { Shipper } from "../outgoing/shipper.js";
import { recordOf } from "./decision-record.js";
import type { DroppedDecisions, QueuedLogSettings } from "./log-options.js";
import type { DecisionLog } from "./log-step.js";

/** A decision log that writes in the background. No method throws or rejects. */
export interface QueuedDecisionLog extends DecisionLog {
  /** Returns the numbers of decisions so far. */
  stats(): DecisionLogStats;
  /** Resolves when nothing waits to be written, a write has failed, or the time to flush is over. */
  flush(): Promise<void>;
  /** Flushes and releases everything. Later decisions are dropped. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Numbers of decisions. */
export interface DecisionLogStats {
  readonly queued: number;
  /** Bytes of JSON that the queued ones take. */
  readonly queuedBytes: number;
  readonly written: number;
  readonly dropped: number;
}

/** Where records are written. */
export interface RecordSink {
  /**
   * Writes records, each one line of JSON without its end. If it throws, the same array comes again
   * later. The next call starts after it has settled.
   */
  write(lines: readonly string[]): Awaitable<void>;
  /** Releases everything. */
  close?(): Awaitable<void>;
}

const QUIET_MS = 60_000;

/** Makes a log over a sink: records wait in a bounded queue and are written in batches. */
export function createQueuedLog(settings: QueuedLogSettings, sink: RecordSink): QueuedDecisionLog {
  const { digest, report, onDrop } = settings;
  const hook = onDrop ?? warnOf;
  const notice = createDropNotice(({ reports, error }) => hook({ decisions: reports, error }));
  /** Runs a method of the sink, which may throw anything. */
  const attempt = async (run: () => Awaitable<void> | undefined): Promise<void> => {
    try {
      await run();
    } catch (cause) {
      const error = isRiskGateError(cause) ? cause : writeError(cause);
      report(error);
      throw error;
    }
  };
  const shipper = new Shipper({
    ...settings,
    kinds: ["records"],
    deliver: ({ texts }) => attempt(() => sink.write(texts)),
    onDrop: (error, decisions) => notice.add(error, decisions),
    fullError: () => new RiskGateError("LOG_QUEUE_FULL", "too many decisions wait to be written"),
    closedError,
    async release() {
      notice.flush();
      await attempt(() => sink.close?.()).catch(() => {});
    },
  });

  return Object.freeze({
    record(made) {
      if (shipper.isClosed) {
        shipper.drop(closedError(), 1);
        return;
      }
      try {
        shipper.add("records", JSON.stringify(recordOf(made, digest, Date.now())));
      } catch (cause) {
        shipper.drop(unreadable(cause), 1);
      }
    },
    stats: () => ({
      queued: shipper.queue.size,
      queuedBytes: shipper.queue.bytes,
      written: shipper.delivered,
      dropped: shipper.dropped,
    }),
    flush: () => shipper.flush(),
    close: () => shipper.close(),
    [Symbol.asyncDispose]: () => shipper.close(),
  } satisfies QueuedDecisionLog);
}

function writeError(cause: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the decision log could not be written", {
    cause,
    hint: "Check the file or service of the log; until then decisions wait in memory, up to its limits",
  });
}

/** An assessment of the application's own lookup may throw when it is read. */
function unreadable(cause: unknown): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", "a decision threw while it was recorded", {
    cause,
    hint: "See `cause`: the assessment of a lookup, or the caller of the log",
  });
}

function closedError(): RiskGateError {
  return new RiskGateError("ABORTED", "the decision log was closed", {
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
