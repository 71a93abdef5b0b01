import { RiskGateError } from "../base/errors.js";

/** Most bytes of decoded body that are read. An assessment has about 400. */
export const MAX_ANSWER_BYTES = 65_536;

/** Headers of a request with a body. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
};

/** What came back. */
export interface Answer {
  readonly status: number;
  /** Decoded body; empty for a status outside 200 to 299 whose body cannot be read whole. */
  readonly body: Uint8Array;
  /** Value of a header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** One request under way. */
export interface Exchange {
  /**
   * Rejects only with a RiskGateError: `NETWORK`, `RESPONSE_TOO_LARGE` or `INVALID_RESPONSE`. It
   * settles when the connection is free again, also after {@link cancel}.
   */
  readonly answer: Promise<Answer>;
  /** What has come of an answer whose body is not complete; its own body is empty. */
  readonly head: Answer | undefined;
  /** It was sent over a connection in use before, which ended without a byte of this answer. */
  readonly isUnread: boolean;
  /** Give up; the connection is closed. */
  cancel(): void;
}

/** Sends requests to one origin, with its key and nothing else of ours. */
export interface Transport {
  /** @param isFresh Use a connection that no request was sent over before. */
  get(path: string, isFresh: boolean): Exchange;
  /** @param body JSON text. @param isFresh As for `get`. */
  post(path: string, body: string, isFresh: boolean): Exchange;
  /** Close all connections; what is under way fails. */
  close(): Promise<void>;
}

/** What a transport needs to know. */
export interface TransportSettings {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** PEM text of the certificate authorities that are trusted instead of the usual ones. */
  readonly ca: string | undefined;
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string;
}

/** Error for a body above {@link MAX_ANSWER_BYTES}. */
export function tooLarge(status: number): RiskGateError {
  return new RiskGateError(
    "RESPONSE_TOO_LARGE",
    `Expected at most ${MAX_ANSWER_BYTES} bytes of answer, given more`,
    { status },
  );
}

/** Whether a status means that the body is an assessment. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
