import type { ServerResponse } from "node:http";
import { usableEmail } from "../address/email-address.js";
import { isThenable } from "../model/awaitable.js";
import { callHook, type HookCall } from "../base/call-hook.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { type OptionReader, readOptions } from "../base/options.js";
import {
  cleanAddress,
  clientAddress,
  readTrustedProxies,
  type TrustedProxies,
} from "../decision/client-address.js";
import type { GatedRequest } from "../decision/gated-request.js";
import { emailOf } from "../decision/email-of.js";
import { perRequest } from "../decision/per-request.js";
import type { Reporter } from "../report/reporter.js";
import type { Velocity, VelocityFacts } from "../model/velocity.js";
import { successOf } from "./login-status.js";

/** Options of a login watch. `Args` are the arguments of the framework's middleware. */
export interface LoginWatchOptions<Args extends readonly [unknown, ...unknown[]]> {
  /** Receives the outcomes: a reporter to a service, or to a ledger in this process. */
  readonly reporter?: Reporter;
  /**
   * Counts the failures, as a share of all logins, for a gate with the same velocity in front of the route. Either this or
   * `reporter` is required.
   */
  readonly velocity?: Velocity;
  /**
   * Finds the account that the visitor entered; default the own string property `email` of the
   * parsed body. Without an account nothing is reported. Called before the handler runs.
   */
  readonly account?: (request: Args[0]) => unknown;
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
  /** Receives errors thrown by selectors; nothing is reported then. */
  readonly onError?: ErrorHook;
}

/** A request and its response, as an adapter supplies them. */
export interface WatchedRequest<Args extends readonly [unknown, ...unknown[]]> extends Pick<
  GatedRequest<Args>,
  "args" | "request" | "ip" | "body"
> {
  readonly response: ServerResponse;
}

/** Watches a login route. */
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

/** Returns true for the first watch of a response for a receiver. */
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
  const { selectAccount, selectIp, trusted, success, report } = settings;

  const hookCall: HookCall<unknown> = { report, otherwise: undefined };
  const findAccount = ({ args, body }: WatchedRequest<Args>): unknown =>
    selectAccount ? callHook("`account`", () => selectAccount(args[0]), hookCall) : emailOf(body);
  const findIp = ({ args, request, ip }: WatchedRequest<Args>): unknown => {
    if (selectIp) return callHook("`ip`", () => selectIp(args[0]), hookCall);
    if (!trusted) return ip;
    return clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"], trusted);
  };

  const count = (velocity: Velocity, facts: VelocityFacts, isSuccess: boolean): void => {
    const call = () => (isSuccess ? velocity.succeeded?.(facts) : velocity.count(facts));
    void callHook("`velocity`", call, { ...hookCall, reportsOwn: true });
  };

  const reportEnd = async (
    watched: WatchedRequest<Args>,
    who: readonly [account: unknown, ip: unknown],
    status: number,
    { reporter, velocity }: Receivers,
  ): Promise<void> => {
    const [account, ip] = isThenable(who[0]) || isThenable(who[1]) ? await Promise.all(who) : who;
    const address = cleanAddress(ip);
    if (typeof account !== "string" || account === "") return;
    const ended = success
      ? await callHook("`success`", () => success(...watched.args), hookCall)
      : successOf(status);
    if (typeof ended !== "boolean") return;
    const userAgent = watched.request.headers["user-agent"];
    const agent = typeof userAgent === "string" && userAgent !== "" && { userAgent };
    const crossSite = watched.request.headers["sec-fetch-site"] === "cross-site" && {
      crossSite: true,
    };
    if (velocity) count(velocity, { email: account, ip: address }, ended);
    const usable = usableEmail(account);
    if (!reporter || !address || usable === undefined) return;
    reporter.login({ account: usable, address, success: ended, ...agent, ...crossSite });
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
      const who = [findAccount(watched), findIp(watched)] as const;
      let isSettled = false;
      let isGone = false;
      let handled: number | undefined;
      const end = (status: number): void => {
        if (isSettled) return;
        isSettled = true;
        void callHook("the reporter", () => reportEnd(watched, who, status, receivers), hookCall);
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

/** Receivers of one request's outcome. */
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
    selectAccount: options.function<Options["account"]>("account"),
    selectIp: options.function<Options["ip"]>("ip"),
    trusted: readTrustedProxies(options),
    success: options.function<Options["success"]>("success"),
    report: createErrorReport(options.function<ErrorHook>("onError")),
  };
}
