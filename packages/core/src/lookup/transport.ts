import { RiskGateError } from "../base/errors.js";

/** Maximum size of a decoded body, in bytes. An assessment takes about 400. */
export const MAX_ANSWER_BYTES = 65_536;

export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
};

export interface Request {
  readonly path: string;
  /** JSON text, sent with POST; without it the request is a GET. */
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  /** Decoded body; empty if the status is outside 200 to 299 and the body is incomplete. */
  readonly body: Uint8Array;
  /** Returns a header by its lowercase name. */
  header(name: string): string | undefined;
}

export interface Exchange {
  /**
   * Rejects only with a RiskGateError: `NETWORK`, `RESPONSE_TOO_LARGE` or `INVALID_RESPONSE`.
   * Settles when the connection is free again, even after {@link cancel}.
   */
  readonly answer: Promise<Answer>;
  readonly head: Answer | undefined;
  /** True if a reused connection ended without any byte of this response. */
  readonly isUnread: boolean;
  cancel(): void;
}

/** Sends requests to one origin, with its key and no other custom header. */
export interface Transport {
  /** @param isFresh Use a connection that has carried no previous request. */
  send(request: Request, isFresh: boolean): Exchange;
  /** Closes all connections; pending requests fail. */
  close(): Promise<void>;
}

export interface TransportSettings {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** PEM text of certificate authorities to trust instead of the defaults. */
  readonly ca: string | undefined;
  readonly redact: (text: string) => string;
}

export function tooLarge(status: number): RiskGateError {
  return new RiskGateError(
    "RESPONSE_TOO_LARGE",
    `expected a response of at most ${MAX_ANSWER_BYTES} bytes`,
    { status },
  );
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
