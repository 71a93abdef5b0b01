import { startDeadline } from "../base/time-limit.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { createFetchTransport } from "../lookup/fetch-transport.js";
import { networkError } from "../lookup/network-error.js";
import type { Answer, Exchange, Transport } from "../lookup/transport.js";
import { createOwnTransport } from "../lookup/own-transport.js";
import { type BatchAnswer, isTransient, readBatchAnswer } from "./report-answer.js";
import type { ConnectionSettings } from "./reporter-options.js";

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

export class ReportSender {
  readonly #settings: ConnectionSettings;
  readonly #transport: Transport;
  readonly #redact: (text: string) => string;
  #isStopped = false;
  #interrupt: () => void = () => {};

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    const { origin, reportKey, fetch, ca, timeoutMs } = settings;
    this.#redact = (text) => text.replaceAll(reportKey, "[redacted]");
    const transportSettings = {
      origin,
      headers: { "x-api-key": reportKey, accept: "application/json" },
      maxConnections: 1,
      connectTimeoutMs: timeoutMs,
      ca,
      redact: this.#redact,
    };
    this.#transport = fetch
      ? createFetchTransport(transportSettings, fetch)
      : createOwnTransport(transportSettings);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Makes one attempt.
   *
   * @throws {RiskGateError} NETWORK, TIMEOUT, ABORTED, RESPONSE_TOO_LARGE or INVALID_RESPONSE.
   */
  async post(channel: string, body: string, isFresh: boolean): Promise<Answer> {
    const { basePath, timeoutMs } = this.#settings;
    let endedBy: RiskGateError | undefined;
    let exchange: Exchange | undefined;
    const end = (error: RiskGateError): void => {
      endedBy ??= error;
      exchange?.cancel();
    };
    if (this.#isStopped) throw closedError();
    this.#interrupt = () => end(closedError());
    const stopDeadline = startDeadline(timeoutMs, () =>
      end(
        new RiskGateError("TIMEOUT", `no response within ${timeoutMs} ms`, {
          hint: "Raise `timeoutMs`, or check the service: it did not accept the reports in time",
        }),
      ),
    );
    try {
      const path = channel === "labels" ? channel : `reports/${channel}`;
      exchange = this.#transport.send({ path: `${basePath}/v1/${path}`, body }, isFresh);
      return await exchange.answer;
    } catch (thrown) {
      if (endedBy) throw endedBy;
      throw isRiskGateError(thrown) ? thrown : networkError(thrown, this.#redact);
    } finally {
      stopDeadline();
      this.#interrupt = () => {};
    }
  }

  /**
   * Sends a batch until the service responds.
   *
   * @param retries Attempts after the first one, with increasing pauses.
   * @throws {RiskGateError} The last attempt's error.
   */
  async deliver(channel: string, body: string, retries: number): Promise<BatchAnswer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return readBatchAnswer(await this.post(channel, body, attempt > 0));
      } catch (thrown) {
        const error = thrown as RiskGateError;
        if (attempt >= retries || !isTransient(error) || this.#isStopped) throw error;
        await this.#pause(attempt, error.retryAfterMs);
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#interrupt();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#transport.close();
  }

  /** Waits before a retry. The process may exit meanwhile, unless it waits for `flush`. */
  async #pause(attempt: number, askedMs: number = 0): Promise<void> {
    const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS);
    const ms = Math.max(askedMs, backOffMs * (0.5 + Math.random() / 2));
    await new Promise<void>((resolve) => {
      const stop = startDeadline(ms, resolve);
      this.#interrupt = () => {
        stop();
        resolve();
      };
    });
    this.#interrupt = () => {};
  }
}

export function closedError(): RiskGateError {
  return new RiskGateError("ABORTED", "the reporter was closed", {
    hint: "Report before calling `close()`, and allow time to send: see `flushTimeoutMs`",
  });
}
