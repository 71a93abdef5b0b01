import type { ServerResponse } from "node:http";
import { usableEmail } from "../address/email-address.js";
import { mailboxesIn } from "../address/mailbox.js";
import { callHook, type HookCall } from "../base/call-hook.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { MAX_EMAILS } from "../decision/body-readings.js";
import {
  cleanAddress,
  readTrustedProxies,
  type TrustedProxies,
} from "../decision/client-address.js";
import { isCrossSite } from "../decision/gated-request.js";
import { perRequest } from "../decision/per-request.js";
import { readPlace } from "../decision/reader-settings.js";
import {
  createRequestReader,
  type Identified,
  type ReadRequest,
} from "../decision/request-reader.js";
import { ABSENT, textOf } from "../model/fact.js";
import type { Reporter } from "../report/reporter.js";
import type { Velocity, VelocityFacts } from "../model/velocity.js";
import { successOf } from "./login-status.js";

/** Options for a login watch. `Args` are the arguments of the framework's middleware. */
export interface LoginWatchOptions<Args extends readonly [unknown, ...unknown[]]> {
  /** Receives the outcomes: a reporter to a service, or to a ledger in this process. */
  readonly reporter?: Reporter;
  /**
   * Counts failures, as a share of all logins, for a gate with the same velocity in front of the
   * route. Either this or `reporter` is required.
   */
  readonly velocity?: Velocity;
  /**
   * Path in the body of the account that the visitor entered, such as `user.email`; default
   * `email`. Or a function that finds it, called before the handler runs. A failed login counts
   * towards up to three accounts. If the account is unreadable, it counts towards the address only;
   * without an account, it does not count.
   */
  readonly account?: string | ((request: Args[0]) => unknown);
  /** Finds the client's IP address; default the framework's, or the result of `trustedProxies`. */
  readonly ip?: (request: Args[0]) => unknown;
  /** As in the gate's options. */
  readonly trustedProxies?: TrustedProxies;
  /**
   * Returns the login's outcome if the status does not show it: true, false, or undefined for
   * neither; called after the response. By default 2xx and 3xx mean success; 400, 401, 403, 404,
   * 410, 422 and 423 failure; all others neither.
   */
  readonly success?: (...args: Args) => unknown;
  /** Receives errors thrown by selectors. The account is then unreadable, or the address unknown. */
  readonly onError?: ErrorHook;
}

export interface WatchedRequest<
  Args extends readonly [unknown, ...unknown[]],
> extends ReadRequest<Args> {
  readonly response: ServerResponse;
}

export interface LoginWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Reads the account and address, and reports the outcome after the response. The request neither
   * waits for this nor fails because of it.
   *
   * @returns Receives the handler's status, used if the client disconnects before the response.
   */
  begin(watched: WatchedRequest<Args>): (status: number) => void;
}

/** Watched responses per receiver: each request is reported and counted once. */
const claimOf = perRequest<Reporter | Velocity, { isWatched?: boolean }>(() => ({}));

function claim(receiver: Reporter | Velocity, response: ServerResponse): boolean {
  const claimed = claimOf(response, receiver);
  const isFirst = !claimed.isWatched;
  claimed.isWatched = true;
  return isFirst;
}

/**
 * Creates the watch that all adapters share.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createLoginWatch<Args extends readonly [unknown, ...unknown[]]>(
  options: LoginWatchOptions<Args>,
  factory = "loginWatch",
): LoginWatch<Args> {
  const settings = readOptions(factory, options, readLoginWatch<Args>);
  const { success, report } = settings;
  const read = createRequestReader<Args>(settings, report);
  const hookCall: HookCall<unknown> = { report, otherwise: undefined };

  const reportEnd = async (
    watched: WatchedRequest<Args>,
    { who, waiting }: Reading,
    status: number,
    { reporter, velocity }: Receivers,
  ): Promise<void> => {
    if (waiting) await waiting;
    if (who.email === ABSENT) return;
    const ended = success
      ? await callHook("`success`", () => success(...watched.args), hookCall)
      : successOf(status);
    if (typeof ended !== "boolean") return;
    const ip = cleanAddress(textOf(who.ip));
    const crossSite = isCrossSite(watched.request);
    const texts = textsOf(who.value);
    if (velocity) countEnd(velocity, texts, { ip, crossSite, isSuccess: ended, report });
    const accounts = texts.flatMap(accountsIn);
    if (!reporter || ip === undefined || (ended && accounts.length > 1)) return;
    const userAgent = watched.request.headers["user-agent"];
    for (const account of accounts) {
      reporter.login({
        account,
        address: ip,
        success: ended,
        ...(typeof userAgent === "string" && userAgent !== "" && { userAgent }),
        ...(crossSite && { crossSite }),
      });
    }
  };

  return {
    begin(watched) {
      const { response } = watched;
      const ours = <T extends Reporter | Velocity>(receiver: T | undefined): T | undefined =>
        receiver && claim(receiver, response) ? receiver : undefined;
      const receivers: Receivers = {
        reporter: ours(settings.reporter),
        velocity: ours(settings.velocity),
      };
      if (!receivers.reporter && !receivers.velocity) return () => {};
      const who: Identified = { ip: ABSENT, email: ABSENT, value: undefined };
      const reading: Reading = { who, waiting: read(watched, who) };
      let isSettled = false;
      let isGone = false;
      let handled: number | undefined;
      const end = (status: number): void => {
        if (isSettled) return;
        isSettled = true;
        void callHook(
          "the reporter",
          () => reportEnd(watched, reading, status, receivers),
          hookCall,
        );
      };
      response.once("close", () => {
        isGone = true;
        if (response.headersSent) end(response.statusCode);
        else if (handled !== undefined) end(handled);
        // Attackers that do not wait for the response count too.
        else watchEnd(response, () => end(response.statusCode));
      });
      return (status) => {
        handled = status;
        if (isGone) end(status);
      };
    },
  };
}

/** Calls back when a response without a connection ends, for which Node emits no event. */
function watchEnd(response: ServerResponse, onEnd: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]): ServerResponse => {
    const ended = end(...args);
    onEnd();
    return ended;
  };
}

interface Reading {
  readonly who: Identified;
  /** Settles when the identifiers are known; undefined if they already are. */
  readonly waiting: Promise<void> | undefined;
}

interface LoginEnd {
  readonly ip: string | undefined;
  readonly crossSite: boolean;
  readonly isSuccess: boolean;
  readonly report: ErrorHook;
}

function countEnd(velocity: Velocity, texts: readonly string[], end: LoginEnd): void {
  const { ip, crossSite, isSuccess, report } = end;
  const count = (facts: VelocityFacts): void => {
    const call = () => (isSuccess ? velocity.succeeded?.(facts) : velocity.count(facts));
    void callHook("`velocity`", call, { report, otherwise: undefined, reportsOwn: true });
  };
  const [only] = texts.length === 1 ? texts : [];
  // If there are several accounts, it is unknown which one the handler uses.
  if (only !== undefined || !isSuccess) {
    count({ email: only, ip, ...(crossSite && { crossSite }) });
  }
  if (only !== undefined || isSuccess) return;
  for (const email of texts) count({ email });
}

/** Returns up to three texts or numbers that a handler may use as an account. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value.flat(2) : [value];
  const texts = values.filter((one) => typeof one === "string" || typeof one === "number");
  const distinct = [...new Set(texts.map(String))].filter((text) => text.trim() !== "");
  return distinct.length > MAX_EMAILS ? [] : distinct;
}

/** Returns the accounts to report: each mailbox that the text names, or the text itself. */
function accountsIn(text: string): readonly string[] {
  const [, ...named] = mailboxesIn(text, false);
  const isFew = named.length > 0 && named.length <= MAX_EMAILS;
  return (isFew ? named : [text]).flatMap((one) => usableEmail(one) ?? []);
}

interface Receivers {
  readonly reporter: Reporter | undefined;
  readonly velocity: Velocity | undefined;
}

/** Reads {@link LoginWatchOptions}; the signatures of hooks cannot be checked. */
function readLoginWatch<Args extends readonly [unknown, ...unknown[]]>(options: OptionReader) {
  type Options = Required<LoginWatchOptions<Args>>;
  const expected = "a reporter, as created by createReporter()";
  const reporter = options.object<Reporter>("reporter", ["login"], expected);
  const counter = 'a velocity with `counts: "failed_logins"`, as created by createVelocity()';
  const velocity = options.object<Velocity>("velocity", ["count"], counter);
  if (velocity && velocity.counts !== "failed_logins") {
    options.refuse("velocity", counter, velocity.counts);
  }
  if (!reporter && !velocity) options.refuse("reporter", expected, undefined);
  return {
    reporter,
    velocity,
    ...readPlace(options, "account", {
      expected: 'a path such as "user.email" or a function',
      remedy: "Set `account` to its path",
    }),
    selectIp: options.function<Options["ip"]>("ip"),
    trusted: readTrustedProxies(options),
    success: options.function<Options["success"]>("success"),
    report: createErrorReport(options.function<ErrorHook>("onError")),
  };
}
