import { createAddressWatch } from "./address-watch.js";
import { isThenable } from "../base/awaitable.js";
import {
  cleanAddress,
  clientAddress,
  readTrustedProxies,
  type TrustedProxies,
} from "./client-address.js";
import { monotonicMs } from "../base/clock.js";
import { startDeadline } from "../base/deadline.js";
import type { Decision, Failed } from "./decision.js";
import { RiskGateError } from "../base/errors.js";
import { NOT_GIVEN, UNUSABLE } from "./evidence.js";
import {
  createDecider,
  type Facts,
  type GateOptions,
  type LookUpOptions,
  readGate,
} from "./gate.js";
import type { GatedRequest } from "./gated-request.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { ownEmail } from "./own-email.js";
import { problemReply } from "../base/problem.js";
import { writeRefusal } from "./refusal.js";

/**
 * Options of a gate in front of a route. `Args` are what the framework hands to a middleware, the
 * request first.
 */
export interface RequestGateOptions<
  Args extends readonly [unknown, ...unknown[]],
> extends GateOptions {
  /**
   * Finds the email address; default the own string property `email` of the parsed body. Null and
   * undefined mean that there is none. What it takes is part of the budget, as for `ip` and `skip`.
   */
  readonly email?: (request: Args[0]) => unknown;
  /** Finds the client's IP address; by default the framework's, or the one that `trustedProxies` leads to. */
  readonly ip?: (request: Args[0]) => unknown;
  /**
   * Addresses and networks of the proxies in front of the application. Then X-Forwarded-For is
   * walked from the socket outward past these only, whatever the framework is set to trust. The names
   * `loopback` and `private` stand for their networks; a number is a count of proxies.
   */
  readonly trustedProxies?: TrustedProxies;
  /** Requests that need no decision. */
  readonly skip?: (request: Args[0]) => unknown;
  /** Writes the application's own refusal; the default answer follows if it throws or never answers. */
  readonly onReject?: (decision: Decision, ...args: Args) => unknown;
  /** Receives every decision, before it is enforced. */
  readonly onDecision?: (decision: Decision, ...args: Args) => unknown;
}

/** A gate in front of a route. */
export interface RequestGate<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Let a request pass or refuse it.
   *
   * @returns True when the next handler is to run: at once when everything is in memory, else a
   * promise. False when the request was answered, or the client has gone.
   */
  guard(gated: GatedRequest<Args>): boolean | Promise<boolean>;
}

/**
 * Make the gate that all adapters share.
 *
 * @param factory Name of the function that the application called, for the messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createRequestGate<Args extends readonly [unknown, ...unknown[]]>(
  options: RequestGateOptions<Args>,
  factory = "riskGate",
): RequestGate<Args> {
  const settings = readOptions(factory, options, readRequestGate<Args>);
  const { gate, skip, selectEmail, selectIp, trusted, onReject, onDecision } = settings;
  const { report, budgetMs, policy } = gate;
  const begin = createDecider(gate);
  const watch = createAddressWatch();

  /**
   * Run code of the application: what it gives, or NOT_GIVEN when it fails.
   *
   * @param leftMs Time in which a promise must settle, by default any.
   */
  const run = (name: string, call: () => unknown, leftMs?: number): unknown => {
    const failed = (cause: unknown): Failed => {
      report(new RiskGateError("HOOK_FAILED", `\`${name}\` failed`, { cause }));
      return NOT_GIVEN;
    };
    try {
      const result = call();
      if (!isThenable(result)) return result;
      return settled(result, name, leftMs).catch(failed);
    } catch (cause) {
      return failed(cause);
    }
  };
  const findIp = (gated: GatedRequest<Args>, leftMs: number): unknown => {
    if (selectIp) return run("ip", () => selectIp(gated.args[0]), leftMs);
    if (!trusted) return cleanAddress(gated.ip) ?? UNUSABLE;
    const { socket, headers } = gated.request;
    return clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trusted) ?? UNUSABLE;
  };
  const findEmail = (gated: GatedRequest<Args>, leftMs: number): unknown => {
    if (!selectEmail) return ownEmail(gated.body);
    const found = run("email", () => selectEmail(gated.args[0]), leftMs);
    // A selector that gives null has looked; a client that sends null has sent something.
    const orNone = (email: unknown): unknown => email ?? undefined;
    return isThenable(found) ? found.then(orNone) : orNone(found);
  };

  const enforce = (gated: GatedRequest<Args>, decision: Decision): boolean | Promise<boolean> => {
    gated.attach(decision);
    if (onDecision) void run("onDecision", () => onDecision(decision, ...gated.args));
    if (decision.outcome !== "reject" || !decision.enforced) return true;
    const isOutage = decision.because === "unavailable";
    const reply = problemReply(isOutage ? "RISK_UNAVAILABLE" : "RISK_REJECTED");
    if (!onReject) {
      gated.sendReply(reply);
      return false;
    }
    return writeRefusal({
      gated,
      onReject: () => onReject(decision, ...gated.args),
      reply,
      // The application's own refusal gets as long as the lookups did.
      timeoutMs: budgetMs,
      report,
    }).then(() => false);
  };

  const decide = (
    gated: GatedRequest<Args>,
    ip: unknown,
    email: unknown,
    leftMs: number,
  ): boolean | Promise<boolean> => {
    const isUsable = email === undefined || typeof email === "string" || email === NOT_GIVEN;
    if (!isUsable && policy.enforced) {
      gated.sendReply(problemReply("IDENTIFIER_INVALID"));
      return false;
    }
    const begun = begin({ ip, email: isUsable ? email : UNUSABLE } as Facts);
    return typeof begun === "function" ? lookUp(gated, begun, leftMs) : enforce(gated, begun);
  };

  const lookUp = async (
    gated: GatedRequest<Args>,
    goOn: (options: LookUpOptions) => Promise<Decision>,
    leftMs: number,
  ): Promise<boolean> => {
    const { request, response } = gated;
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    response.once("close", onClose);
    try {
      const decision = await goOn({ signal: gone.signal, scope: request, leftMs });
      return await enforce(gated, decision);
    } catch (error) {
      // The client has gone: the answer would reach no one.
      if (gone.signal.aborted) return false;
      throw error;
    } finally {
      response.off("close", onClose);
    }
  };

  const identify = (
    gated: GatedRequest<Args>,
    leftMs: number = budgetMs,
  ): boolean | Promise<boolean> => {
    if (!trusted && !selectIp) watch.trust(gated);
    if (!selectEmail) watch.body(gated.request, gated.body);
    const ip = findIp(gated, leftMs);
    const email = findEmail(gated, leftMs);
    if (isThenable(ip) || isThenable(email)) {
      const left = countdown(leftMs);
      return Promise.all([ip, email]).then((found) => decide(gated, ...found, left()));
    }
    if (typeof ip === "string") watch.address(ip, gated.request);
    return decide(gated, ip, email, leftMs);
  };

  return {
    guard(gated) {
      const skipped = skip && run("skip", () => skip(gated.args[0]), budgetMs);
      if (isThenable(skipped)) {
        const left = countdown(budgetMs);
        return Promise.resolve(skipped).then((value) => isTrue(value) || identify(gated, left()));
      }
      return isTrue(skipped) || identify(gated);
    },
  };
}

/** Tells what is left of a time, at least 1 ms: what answers at once is still heard. */
function countdown(ms: number): () => number {
  const endMs = monotonicMs() + ms;
  return () => Math.max(1, endMs - monotonicMs());
}

/** What a promise of the application gives, or its failure to settle in time. */
function settled(
  result: PromiseLike<unknown>,
  name: string,
  leftMs: number | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stopDeadline =
      leftMs === undefined
        ? () => {}
        : startDeadline(leftMs, () => {
            reject(new TypeError(`\`${name}\` did not settle within \`budgetMs\``));
          });
    Promise.resolve(result).then(resolve, reject).finally(stopDeadline);
  });
}

/** Reads all options of {@link RequestGateOptions}; the types of the hooks cannot be checked. */
function readRequestGate<Args extends readonly [unknown, ...unknown[]]>(options: OptionReader) {
  type Options = Required<RequestGateOptions<Args>>;
  return {
    gate: readGate(options),
    trusted: readTrustedProxies(options),
    skip: options.function<Options["skip"]>("skip"),
    selectEmail: options.function<Options["email"]>("email"),
    selectIp: options.function<Options["ip"]>("ip"),
    onReject: options.function<Options["onReject"]>("onReject"),
    onDecision: options.function<Options["onDecision"]>("onDecision"),
  };
}

/** A predicate that failed is not true. */
function isTrue(value: unknown): boolean {
  return Boolean(value) && value !== NOT_GIVEN;
}
