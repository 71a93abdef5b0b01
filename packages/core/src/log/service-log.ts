import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
import { readBatchAnswer } from "../report/report-answer.js";
import { ReportSender } from "../report/report-sender.js";
import {
  type ConnectionOptions,
  type ConnectionSettings,
  readReportConnection,
} from "../report/reporter-options.js";
import { type QueuedLogOptions, type QueuedLogSettings, readQueuedLog } from "./log-options.js";
import { createQueuedLog, type QueuedDecisionLog, type RecordSink } from "./queued-log.js";

export interface ServiceDecisionLogOptions extends QueuedLogOptions, ConnectionOptions {}

/**
 * Creates a decision log that is stored by the service, for a gate's option `log`. Records are sent
 * in batches in the background, without plain addresses.
 *
 * @throws {RiskGateError} CONFIG_INVALID. No method of the log throws or rejects.
 */
export function createServiceDecisionLog(options: ServiceDecisionLogOptions): QueuedDecisionLog {
  const [settings, connection] = readOptions(
    "createServiceDecisionLog",
    options,
    (given) => [readQueuedLog(given), readReportConnection(given)] as const,
  );
  return createQueuedLog(settings, createServiceSink(connection, settings));
}

function createServiceSink(
  connection: ConnectionSettings,
  { report }: Pick<QueuedLogSettings, "report">,
): RecordSink {
  const sender = new ReportSender(connection);
  let begun: { readonly lines: readonly string[]; readonly body: string } | undefined;
  return {
    async write(lines) {
      const isAgain = begun?.lines === lines;
      // Retries send the same ids, so the service stores no record twice.
      if (begun?.lines !== lines) begun = { lines, body: `[${lines.join(",")}]` };
      const answer = readBatchAnswer(await sender.post("decisions", begun.body, isAgain));
      begun = undefined;
      if (answer.refused > 0) report(refusedError(answer.refused, answer.reason));
    },
    close: () => sender.close(),
  };
}

function refusedError(refused: number, reason: string | undefined): RiskGateError {
  const message = `the service rejected ${refused} decisions: ${reason ?? "it gave no reason"}`;
  return new RiskGateError("INVALID_ARGUMENT", message, {
    hint: "Use a service of the same version; the other decisions are not affected",
  });
}
