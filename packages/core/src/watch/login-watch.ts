import type { ServerResponse } from "node:http";
import { emailProblem } from "../address/email-address.js";
import { isThenable } from "../base/awaitable.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import {
  cleanAddress,
  clientAddress,
  readTrustedProxies,
  type TrustedProxies,
} from "../gate/client-address.js";
import type { GatedRequest } from "../gate/gated-request.js";
import { ownEmail } from "../gate/own-email.js";
import type { Reporter } from "../report/reporter.js";
import { successOf } from "./login-status.js";

/** Options of a watch over a login route. `Args` are what the framework hands to a middleware. */
export interface LoginWatchOptions<Args extends readonly [unknown, ...unknown[]]> {
  /** Takes the outcomes: that of a service, or of a ledger in this process. */
  readonly reporter: Reporter;
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
   * Says how the login ended, once it is answered, where the status does not tell: true, false, or
   * undefined for neither. By default 2xx and 3xx are a success; 400, 401, 403, 404, 410, 422 and 423
   * a failure; all others neither.
   */
  readonly success?: (...args: Args) => unknown;
  /** Receives what a selector of the application threw; then nothing is reported. */
  readonly onError?: ErrorHook;
}

/** What a watch reads of a request. */
export type WatchedRequest<Args extends readonly [unknown, ...unknown[]]> = Pick<
  GatedRequest<Args>,
  "args" | "request" | "response" | "ip" | "body"
>;

/** A watch over a login route. */
export interface LoginWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Read who tries to log in, and report how that ended once it is answered. The request does not
   * wait for it and cannot fail by it.
   *
   * @returns Says that the handler has ended with this status, which counts where the answer is never
   * written because the client has gone.
   */
  begin(watched: WatchedRequest<Args>): (status: number) => void;
}

/** Responses that are watched, for each reporter: one request is one report. */
const watchedBy = new WeakMap<Reporter, WeakSet<ServerResponse>>();

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
  const { reporter, selectAccount, selectIp, trusted, success, report } = settings;
  const watched = watchedBy.get(reporter) ?? new WeakSet();
  watchedBy.set(reporter, watched);

  /** What code of the application gives; undefined when it fails. */
  const run = async (name: string, call: () => unknown): Promise<unknown> => {
    try {
      return await call();
    } catch (cause) {
      report(new RiskGateError("HOOK_FAILED", `\`${name}\` failed`, { cause }));
      return undefined;
    }
  };
  const findAccount = ({ args, body }: WatchedRequest<Args>): unknown =>
    selectAccount ? run("account", () => selectAccount(args[0])) : ownEmail(body);
  const findIp = ({ args, request, ip }: WatchedRequest<Args>): unknown => {
    if (selectIp) return run("ip", () => selectIp(args[0]));
    if (!trusted) return ip;
    return clientAddress(request.socket.remoteAddress, request.headers["x-forwarded-for"], trusted);
  };

  const settle = async (
    visit: WatchedRequest<Args>,
    who: readonly [account: unknown, ip: unknown],
    status: number,
  ): Promise<void> => {
    const [account, ip] = isThenable(who[0]) || isThenable(who[1]) ? await Promise.all(who) : who;
    const address = cleanAddress(ip);
    if (typeof account !== "string" || emailProblem(account) !== undefined || !address) return;
    const ended = success ? await run("success", () => success(...visit.args)) : successOf(status);
    if (typeof ended !== "boolean") return;
    const userAgent = visit.request.headers["user-agent"];
    reporter.login({ account, address, success: ended, ...(userAgent && { userAgent }) });
  };

  return {
    begin(visit) {
      const { response } = visit;
      if (watched.has(response)) return () => {};
      watched.add(response);
      const who = [findAccount(visit), findIp(visit)] as const;
      let isSettled = false;
      let isGone = false;
      let handled: number | undefined;
      const end = (status: number): void => {
        if (isSettled) return;
        isSettled = true;
        settle(visit, who, status).catch((cause: unknown) => {
          report(new RiskGateError("HOOK_FAILED", "the reporter failed", { cause }));
        });
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

/** Hear when a response is ended whose connection is gone: it has no event for that. */
function watchEnd(response: ServerResponse, onEnd: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]): ServerResponse => {
    const ended = end(...args);
    onEnd();
    return ended;
  };
}

/** Reads all options of {@link LoginWatchOptions}; the types of the hooks cannot be checked. */
function readLoginWatch<Args extends readonly [unknown, ...unknown[]]>(options: OptionReader) {
  type Options = Required<LoginWatchOptions<Args>>;
  const expected = "a reporter, such as createReporter() makes";
  return {
    reporter:
      options.object<Reporter>("reporter", ["login"], expected) ??
      options.refuse("reporter", expected, undefined),
    selectAccount: options.function<Options["account"]>("account"),
    selectIp: options.function<Options["ip"]>("ip"),
    trusted: readTrustedProxies(options),
    success: options.function<Options["success"]>("success"),
    report: createErrorReport(options.function<ErrorHook>("onError")),
  };
}
