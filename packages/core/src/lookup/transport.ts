import { RiskGateError } from "../base/errors.js";

/** Longest decoded body that is read, in bytes. An assessment has about 400. */
export const MAX_ANSWER_BYTES = 65_536;

/** Headers of a request with a body. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
};

/** A request, without its origin and headers. */
export interface Request {
  readonly path: string;
  /** JSON text, sent with POST; without it the request is a GET. */
  readonly body?: string;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  /** Decoded body; empty if the status is outside 200 to 299 and the body cannot be read to its end. */
  readonly body: Uint8Array;
  /** Returns the value of a header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** One request under way. */
export interface Exchange {
  /**
   * Rejects only with a RiskGateError: `NETWORK`, `RESPONSE_TOO_LARGE` or `INVALID_RESPONSE`. It
   * settles when the connection is free again, also after {@link cancel}.
   */
  readonly answer: Promise<Answer>;
  /** Status and headers that arrived before the body is complete; the body is empty. */
  readonly head: Answer | undefined;
  /** True if a connection that was used before ended without a byte of this answer. */
  readonly isUnread: boolean;
  /** Closes the connection. */
  cancel(): void;
}

/** Sends requests to one origin, with its key and no other header of ours. */
export interface Transport {
  /** @param isFresh Use a connection that no request was sent over before. */
  send(request: Request, isFresh: boolean): Exchange;
  /** Closes all connections; requests under way fail. */
  close(): Promise<void>;
}

/** Settings of a transport. */
export interface TransportSettings {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** PEM text of certificate authorities to trust instead of the usual ones. */
  readonly ca: string | undefined;
  /** Removes the key from a text. */
  readonly redact: (text: string) => string;
}

/** Makes the error for a body above {@link MAX_ANSWER_BYTES}. */
export function tooLarge(status: number): RiskGateError {
  return new RiskGateError(
    "RESPONSE_TOO_LARGE",
    `expected an answer of at most ${MAX_ANSWER_BYTES} bytes`,
    { status },
  );
}

/** Returns true if the status means that the body is an assessment. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
