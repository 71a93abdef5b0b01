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
  /** Returns the number of decisions so far, by state. */
  stats(): DecisionLogStats;
  /** Resolves when all decisions are written, a write fails, or `flushTimeoutMs` expires. */
  flush(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DecisionLogStats {
  readonly queued: number;
  /** Total size of queued decisions, in bytes of JSON. */
  readonly queuedBytes: number;
  readonly written: number;
  readonly dropped: number;
}

export interface RecordSink {
  /**
   * Writes records, each a line of JSON without its line break. If it throws, it is called again
   * later with the same array. Calls never overlap.
   */
  write(lines: readonly string[]): Awaitable<void>;
  close?(): Awaitable<void>;
}

const QUIET_MS = 60_000;

/** Creates a log over a sink: records wait in a bounded queue and are written in batches. */
export function createQueuedLog(settings: QueuedLogSettings, sink: RecordSink): QueuedDecisionLog {
  const { digest, report, onDrop } = settings;
  const hook = onDrop ?? warnOf;
  const notice = createDropNotice(({ reports, error }) => hook({ decisions: reports, error }));
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
    fullError: () =>
      new RiskGateError("LOG_QUEUE_FULL", "too many decisions are waiting to be written"),
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
    hint: "Check the log's file or service; meanwhile decisions wait in memory, up to the limits",
  });
}

/** Reading an assessment from the application's own lookup may throw. */
function unreadable(cause: unknown): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", "recording a decision threw an error", {
    cause,
    hint: "See `cause`: the error came from a lookup's assessment, or from the caller of the log",
  });
}

function closedError(): RiskGateError {
  return new RiskGateError("ABORTED", "the decision log was closed", {
    hint: "Close the log after the server that makes the decisions",
  });
}

function warnOf({ error }: DroppedDecisions): void {
  warn(
    "RISKGATE_DECISIONS_DROPPED",
    `riskgate dropped decisions from the log: ${error.code}. ${error.hint}. Set the option \`onDrop\` to see how many`,
    QUIET_MS,
  );
}
