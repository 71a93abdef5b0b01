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

/** Options of a watch over a login route. `Args` are the arguments of a middleware of the framework. */
export interface LoginWatchOptions<Args extends readonly [unknown, ...unknown[]]> {
  /** Receives the outcomes: the reporter of a service, or of a ledger in this process. */
  readonly reporter?: Reporter;
  /**
   * Counts the failures, as a share of all logins, for a gate with the same velocity in front of the route. Either this or
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
   * Returns how the login ended, after the answer, if the status does not show it: true, false, or
   * undefined for neither. By default 2xx and 3xx are a success; 400, 401, 403, 404, 410, 422 and 423
   * a failure; all others neither.
   */
  readonly success?: (...args: Args) => unknown;
  /** Receives the errors of selectors; then nothing is reported. */
  readonly onError?: ErrorHook;
}

/** A request with its response, as an adapter supplies it to a watch. */
export interface WatchedRequest<Args extends readonly [unknown, ...unknown[]]> extends Pick<
  GatedRequest<Args>,
  "args" | "request" | "ip" | "body"
> {
  readonly response: ServerResponse;
}

/** A watch over a login route. */
export interface LoginWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Reads the account and the address, and reports the outcome after the answer. The request does not
   * wait for it and cannot fail by it.
   *
   * @returns Takes the status of the handler, which counts if the client has gone before the answer.
   */
  begin(watched: WatchedRequest<Args>): (status: number) => void;
}

/** Watched responses of each receiver: one request is one report, and counts once. */
const claimOf = perRequest<Reporter | Velocity, { isWatched?: boolean }>(() => ({}));

/** Returns true for the first watch of a response for a receiver. */
function claim(receiver: Reporter | Velocity, response: ServerResponse): boolean {
  const claimed = claimOf(response, receiver);
  const isFirst = !claimed.isWatched;
  claimed.isWatched = true;
  return isFirst;
}

/**
 * Makes the watch that all adapters share.
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
    if (velocity) count(velocity, { email: account, ip: address }, ended);
    const usable = usableEmail(account);
    if (!reporter || !address || usable === undefined) return;
    reporter.login({ account: usable, address, success: ended, ...agent });
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
        // An attacker who never waits for the answer counts too.
        else watchEnd(response, () => end(response.statusCode));
      });
      return (status) => {
        handled = status;
        if (isGone) end(status);
      };
    },
  };
}

/** Calls back when a response is ended whose connection is gone: it has no event for that. */
function watchEnd(response: ServerResponse, onEnd: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]): ServerResponse => {
    const ended = end(...args);
    onEnd();
    return ended;
  };
}

/** Receivers of the outcome of one request. */
interface Receivers {
  readonly reporter: Reporter | undefined;
  readonly velocity: Velocity | undefined;
}

/** Reads all options of {@link LoginWatchOptions}; the types of the hooks cannot be checked. */
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
