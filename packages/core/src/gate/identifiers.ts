import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { cleanAddress, clientAddress, type ProxyTrust } from "../decision/client-address.js";
import type { GatedRequest } from "../decision/gated-request.js";
import { isReadings, valueAt } from "../decision/body-readings.js";
import { type Awaitable, isThenable } from "../model/awaitable.js";
import type { Fact } from "../model/decision.js";
import { ABSENT, factOf, NOT_GIVEN, UNUSABLE } from "../model/fact.js";
import type { GateRun } from "./gate-run.js";
import { createSetUpWarnings } from "./set-up-warnings.js";

/** Options of a gate that say who makes a request. */
export interface IdentifierSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly skip?: ((request: Args[0]) => unknown) | undefined;
  readonly selectEmail: ((request: Args[0]) => unknown) | undefined;
  /** Path of the email in the body, without a selector. */
  readonly emailPath: readonly string[];
  readonly selectIp: ((request: Args[0]) => unknown) | undefined;
  readonly trusted: ProxyTrust | undefined;
}

/** Reads the identifiers of requests. */
export interface Identifiers<Args extends readonly [unknown, ...unknown[]]> {
  /** Returns true if the option `skip` lets the request pass; undefined without the option. */
  readonly skips: ((run: GateRun, gated: GatedRequest<Args>) => Awaitable<boolean>) | undefined;
  /** Sets the identifiers of a run. Returns a promise only if a selector does. */
  readonly read: (run: GateRun, gated: GatedRequest<Args>) => Promise<void> | undefined;
}

/** Makes the reader of a gate in front of a route. */
export function createIdentifiers<Args extends readonly [unknown, ...unknown[]]>(
  { skip, selectEmail, emailPath, selectIp, trusted }: IdentifierSettings<Args>,
  report: ErrorHook,
): Identifiers<Args> {
  const warnings = createSetUpWarnings();
  const limitOf = ({ leftMs }: GateRun) => ({ ms: leftMs, option: "budgetMs" });
  const select = (name: string, run: GateRun, call: () => unknown): Awaitable<Fact> =>
    callHook<Fact>(name, call, {
      report,
      expects: factOf,
      otherwise: NOT_GIVEN,
      limit: limitOf(run),
    });

  const ipOf = (run: GateRun, gated: GatedRequest<Args>): Awaitable<Fact> => {
    if (selectIp) return select("`ip`", run, () => selectIp(gated.args[0]));
    if (!trusted) return cleanAddress(gated.ip) ?? UNUSABLE;
    const { headers, socket } = gated.request;
    return clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trusted) ?? UNUSABLE;
  };
  const emailFactOf = (run: GateRun, gated: GatedRequest<Args>): Awaitable<Fact> => {
    // A selector that returns null has looked; a client that sends null has sent something.
    if (selectEmail) return select("`email`", run, () => selectEmail(gated.args[0]));
    const { body } = gated;
    if (isReadings(body)) {
      const { fact, several, parsed } = body.emailAt(emailPath);
      run.several = several;
      warnings.email(fact === ABSENT, parsed, emailPath);
      return fact;
    }
    const email = valueAt(body, emailPath);
    warnings.email(email === undefined, body, emailPath);
    return email === null ? UNUSABLE : factOf(email);
  };

  return {
    skips:
      skip &&
      ((run, gated) => {
        const how = { report, expects: Boolean, otherwise: false, limit: limitOf(run) };
        return callHook("`skip`", () => skip(gated.args[0]), how);
      }),
    read(run, gated) {
      if (!trusted && !selectIp) warnings.trust(gated);
      if (!selectEmail) warnings.body(gated.request, gated.body);
      const ip = ipOf(run, gated);
      const email = emailFactOf(run, gated);
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
