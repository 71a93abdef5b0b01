import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { cleanAddress, clientAddress, type ProxyTrust } from "../decision/client-address.js";
import { emailOf } from "../decision/email-of.js";
import { type Awaitable, isThenable } from "../model/awaitable.js";
import type { Fact } from "../model/decision.js";
import { factOf, NOT_GIVEN, UNUSABLE } from "../model/fact.js";
import type { RequestRun } from "./request-run.js";
import { createSetUpWarnings } from "./set-up-warnings.js";

/** Options of a gate that say who makes a request. */
export interface IdentifierSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly skip?: ((request: Args[0]) => unknown) | undefined;
  readonly selectEmail: ((request: Args[0]) => unknown) | undefined;
  readonly selectIp: ((request: Args[0]) => unknown) | undefined;
  readonly trusted: ProxyTrust | undefined;
}

/** Reads the identifiers of requests. */
export interface Identifiers<Args extends readonly [unknown, ...unknown[]]> {
  /** Returns true if `skip` lets the request pass without a decision. */
  isSkipped(run: RequestRun<Args>): Awaitable<boolean>;
  /** Sets the identifiers of a run. Returns a promise only if a selector does. */
  read(run: RequestRun<Args>): Awaitable<void>;
}

/** Makes the reader of a gate in front of a route. */
export function createIdentifiers<Args extends readonly [unknown, ...unknown[]]>(
  { skip, selectEmail, selectIp, trusted }: IdentifierSettings<Args>,
  report: ErrorHook,
): Identifiers<Args> {
  const warnings = createSetUpWarnings();

  const select = (name: string, run: RequestRun<Args>, selector: (request: Args[0]) => unknown) => {
    const limit = { ms: run.leftMs, option: "budgetMs" };
    const how = { report, expects: factOf, otherwise: NOT_GIVEN, limit };
    return callHook<Fact>(name, () => selector(run.gated.args[0]), how);
  };
  const ipOf = (run: RequestRun<Args>): Awaitable<Fact> => {
    if (selectIp) return select("`ip`", run, selectIp);
    const { request, ip } = run.gated;
    if (!trusted) return cleanAddress(ip) ?? UNUSABLE;
    const forwardedFor = request.headers["x-forwarded-for"];
    return clientAddress(request.socket.remoteAddress, forwardedFor, trusted) ?? UNUSABLE;
  };
  const emailFactOf = (run: RequestRun<Args>): Awaitable<Fact> => {
    // A selector that returns null has looked; a client that sends null has sent something.
    if (selectEmail) return select("`email`", run, selectEmail);
    const email = emailOf(run.gated.body);
    return email === null ? UNUSABLE : factOf(email);
  };

  return {
    isSkipped(run) {
      if (!skip) return false;
      const limit = { ms: run.leftMs, option: "budgetMs" };
      const how = { report, expects: Boolean, otherwise: false, limit };
      return callHook("`skip`", () => skip(run.gated.args[0]), how);
    },
    read(run) {
      const { gated } = run;
      if (!trusted && !selectIp) warnings.trust(gated);
      if (!selectEmail) warnings.body(gated.request, gated.body);
      const ip = ipOf(run);
      const email = emailFactOf(run);
      if (isThenable(ip) || isThenable(email)) {
        run.startClock();
        return Promise.all([ip, email]).then((facts) => void ([run.ip, run.email] = facts));
      }
      if (typeof ip === "string") warnings.address(ip, gated.request);
      run.ip = ip;
      run.email = email;
      return undefined;
    },
  };
}
