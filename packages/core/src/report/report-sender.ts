import { startDeadline } from "../base/deadline.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { createFetchTransport } from "../lookup/fetch-transport.js";
import { networkError } from "../lookup/network-error.js";
import type { Answer, Exchange, Transport } from "../lookup/transport.js";
import { createUndiciTransport } from "../lookup/undici-transport.js";
import type { ConnectionSettings } from "./reporter-options.js";

/** First wait before a further attempt, and the longest one. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/** Sends reports, one request at a time, until it is stopped. */
export class ReportSender {
  readonly #settings: ConnectionSettings;
  readonly #transport: Transport;
  readonly #redact: (text: string) => string;
  #isStopped = false;
  /** Gives up what is waited for. */
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
      : createUndiciTransport(transportSettings);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Make one attempt.
   *
   * @throws {RiskGateError} NETWORK, TIMEOUT, ABORTED, RESPONSE_TOO_LARGE or INVALID_RESPONSE.
   */
  async post(channel: string, body: string, isFresh: boolean): Promise<Answer> {
    const { basePath, timeoutMs } = this.#settings;
    let givenUp: RiskGateError | undefined;
    let exchange: Exchange | undefined;
    const giveUp = (error: RiskGateError): void => {
      givenUp ??= error;
      exchange?.cancel();
    };
    if (this.#isStopped) throw aborted();
    this.#interrupt = () => giveUp(aborted());
    const stopDeadline = startDeadline(timeoutMs, () =>
      giveUp(
        new RiskGateError("TIMEOUT", `Expected an answer within ${timeoutMs} ms, given none`, {
          hint: "Raise `timeoutMs`, or check the service: it did not take reports in time",
        }),
      ),
    );
    try {
      exchange = this.#transport.send({ path: `${basePath}/v1/reports/${channel}`, body }, isFresh);
      return await exchange.answer;
    } catch (thrown) {
      if (givenUp) throw givenUp;
      throw isRiskGateError(thrown) ? thrown : networkError(thrown, this.#redact);
    } finally {
      stopDeadline();
      this.#interrupt = () => {};
    }
  }

  /**
   * Wait before a further attempt. The process may end meanwhile, unless it waits for `flush`.
   *
   * @param attempt Number of the attempt that has failed, from 0.
   * @param askedMs What the service asks for.
   */
  async pause(attempt: number, askedMs: number = 0): Promise<void> {
    if (this.#isStopped) return;
    const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS);
    const ms = Math.max(askedMs, backOffMs * (0.5 + Math.random() / 2));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#interrupt = () => {};
  }

  /** Give up what is under way and everything later. */
  stop(): void {
    this.#isStopped = true;
    this.#interrupt();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#transport.close();
  }
}

/** The error of what could not be sent before the reporter was closed. */
export function aborted(): RiskGateError {
  return new RiskGateError("ABORTED", "The reporter was closed", {
    hint: "Report before `close()`, and give it time: see `flushTimeoutMs`",
  });
}
