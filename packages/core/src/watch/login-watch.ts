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
import type { Reporter } from "../report/reporter.js";
import type { Velocity, VelocityFacts } from "../model/velocity.js";
import { successOf } from "./login-status.js";

/** Options of a watch over a login route. `Args` are what the framework hands to a middleware. */
export interface LoginWatchOptions<Args extends readonly [unknown, ...unknown[]]> {
  /** Takes the outcomes: that of a service, or of a ledger in this process. */
  readonly reporter?: Reporter;
  /**
   * Counts the failures, for a gate with the same velocity in front of the route. Either this or
   * `reporter` is required.
   */
  readonly velocity?: Velocity;
  /**
   * Finds the account that the visitor gave; default the own string property `email` of the parsed
   * body. Without an account nothing is reported. It is asked before the handler runs.
   */
  readonly account?: (request: Args[0]) => unknown;
  /** Finds the client's IP address; by default the framework's, or the one that `trustedProxies` leads to. */
  readonly ip?: (request: Args[0]) => unknown;
  /** As for the gate. */
  readonly trustedProxies?: TrustedProxies;
  /**
   * Returns the outcome of an answered login if the status does not show it: true, false, or
   * undefined for neither. By default 2xx and 3xx are a success; 400, 401, 403, 404, 410, 422 and 423
   * a failure; all others neither.
   */
  readonly success?: (...args: Args) => unknown;
  /** Receives what a selector of the application threw; then nothing is reported. */
  readonly onError?: ErrorHook;
}

/** Part of a request that a watch reads. */
export interface WatchedRequest<Args extends readonly [unknown, ...unknown[]]> extends Pick<
  GatedRequest<Args>,
  "args" | "request" | "ip" | "body"
> {
  readonly response: ServerResponse;
}

/** A watch over a login route. */
export interface LoginWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Read who tries to log in, and report how that ended once it is answered. The request does not
   * wait for it and cannot fail by it.
   *
   * @returns Receives the status with which the handler ended. It counts if the answer is never
   * written because the client has left.
   */
  begin(watched: WatchedRequest<Args>): (status: number) => void;
}

/** Watched responses per reporter: one request is one report, and counts once. */
const watchedBy = new WeakMap<Reporter | Velocity, WeakSet<ServerResponse>>();

/** Whether nobody watches a response for `told` so far; from now on somebody does. */
function claim(told: Reporter | Velocity, response: ServerResponse): boolean {
  const watched = watchedBy.get(told) ?? new WeakSet();
  watchedBy.set(told, watched);
  if (watched.has(response)) return false;
  watched.add(response);
  return true;
}

/**
 * Make the watch that all adapters share.
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

  const count = (velocity: Velocity, facts: VelocityFacts): void => {
    void callHook("`velocity`", () => velocity.count(facts), { ...hookCall, reportsOwn: true });
  };

  const settle = async (
    visit: WatchedRequest<Args>,
    who: readonly [account: unknown, ip: unknown],
    status: number,
    { reporter, velocity }: Told,
  ): Promise<void> => {
    const [account, ip] = isThenable(who[0]) || isThenable(who[1]) ? await Promise.all(who) : who;
    const address = cleanAddress(ip);
    if (typeof account !== "string" || account === "") return;
    const ended = success
      ? await callHook("`success`", () => success(...visit.args), hookCall)
      : successOf(status);
    if (typeof ended !== "boolean") return;
    const userAgent = visit.request.headers["user-agent"];
    const agent = typeof userAgent === "string" && userAgent !== "" && { userAgent };
    if (!ended && velocity) count(velocity, { email: account, ip: address });
    const usable = usableEmail(account);
    if (!reporter || !address || usable === undefined) return;
    reporter.login({ account: usable, address, success: ended, ...agent });
  };

  return {
    begin(visit) {
      const { response } = visit;
      const ours = <T extends Reporter | Velocity>(told: T | undefined): T | undefined =>
        told && claim(told, response) ? told : undefined;
      const told: Told = {
        reporter: ours(settings.reporter),
        velocity: ours(settings.velocity),
      };
      if (!told.reporter && !told.velocity) return () => {};
      const who = [findAccount(visit), findIp(visit)] as const;
      let isSettled = false;
      let isGone = false;
      let handled: number | undefined;
      const end = (status: number): void => {
        if (isSettled) return;
        isSettled = true;
        void callHook("the reporter", () => settle(visit, who, status, told), hookCall);
      };
      response.once("close", () => {
        isGone = true;
        if (response.headersSent) end(response.statusCode);
        else if (handled !== undefined) end(handled);
        // An attacker who never waits for the answer is to be counted too.
        else watchEnd(response, () => end(response.statusCode));
      });
      return (status) => {
        handled = status;
        if (isGone) end(status);
      };
    },
  };
}

/** Detects the end of a response whose connection is closed: it emits no event. */
function watchEnd(response: ServerResponse, onEnd: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]): ServerResponse => {
    const ended = end(...args);
    onEnd();
    return ended;
  };
}

/** Reporters of one request. */
interface Told {
  readonly reporter: Reporter | undefined;
  readonly velocity: Velocity | undefined;
}

/** Reads all options of {@link LoginWatchOptions}; the types of the hooks cannot be checked. */
function readLoginWatch<Args extends readonly [unknown, ...unknown[]]>(options: OptionReader) {
  type Options = Required<LoginWatchOptions<Args>>;
  const expected = "a reporter, such as createReporter() makes";
  const reporter = options.object<Reporter>("reporter", ["login"], expected);
  const counter = 'a velocity with `counts: "failed_logins"`, such as createVelocity() makes';
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
