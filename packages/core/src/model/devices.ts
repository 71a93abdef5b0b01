import type { Awaitable } from "./awaitable.js";

export const DEVICE_STANDINGS = ["known", "new", "revoked"] as const;

/**
 * Whether a request comes from a browser in which its account has logged in before: `known`, `new`,
 * or `revoked` after too many failed logins.
 */
export type DeviceStanding = (typeof DEVICE_STANDINGS)[number];

/** One login with a browser, which uses up one of its tries. */
export interface DeviceTry {
  readonly standing: DeviceStanding;
  /** Gives the try back unless the login failed; only the first call has an effect. */
  end(hasFailed: boolean): void;
}

/** A request in Node's terms, with header names in lower case. */
export interface CookieRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A response of a framework: it gets the cookie as one more `Set-Cookie` header. */
export type CookieResponse =
  | { appendHeader(name: string, value: string): unknown }
  | { append(name: string, value: string): unknown }
  | { readonly headers: { append(name: string, value: string): unknown } }
  | { header(name: string, value: string, options: { readonly append: true }): unknown }
  | LambdaResponse;

/** The result of a Lambda function. */
export interface LambdaResponse {
  readonly statusCode: number;
  headers?: Record<string, boolean | number | string> | undefined;
  multiValueHeaders?: Record<string, (boolean | number | string)[]> | undefined;
  cookies?: string[] | undefined;
}

/** The part of a security response that lists accounts. */
export interface AccountInstruction {
  readonly properties: { readonly user_identifiers: readonly (string | object)[] };
}

/** Recognises the browsers in which an account has logged in, by a signed cookie. */
export interface Devices {
  /**
   * Sets the cookie of an account that has just logged in; call this before the response is sent.
   * Every login gets a new cookie, with a new budget of failures.
   *
   * @param account The mailbox or login name that the gate and the watch read from the request.
   * @throws {RiskGateError} INVALID_ARGUMENT for an empty account, or a response that is not one or
   * has been sent.
   */
  remember(response: CookieResponse, account: string): Awaitable<void>;
  /**
   * Forgets all browsers of an account, for example when its owner logs out everywhere.
   *
   * @throws {RiskGateError} CONFIG_INVALID without a `store`; STORE_FAILED, by rejection.
   */
  clear(account: string): Promise<void>;
  /**
   * Forgets all browsers of the accounts in a security response: call this in the webhook's
   * `security_response` handler.
   *
   * @returns Number of accounts.
   * @throws Like `clear`.
   */
  apply(response: AccountInstruction): Promise<number>;
  /**
   * Reads the cookie of a request and uses up one try, once for each request and account.
   *
   * @param crossSite If a page of another origin may have sent the request, the device is new.
   */
  tryOf(
    request: CookieRequest,
    account: string | undefined,
    crossSite?: boolean,
  ): Awaitable<DeviceTry>;
  /** Returns `Set-Cookie` headers that remove the oldest cookies of a browser with too many. */
  surplus(request: CookieRequest): readonly string[];
}
