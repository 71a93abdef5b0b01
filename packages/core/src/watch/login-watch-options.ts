import { type AttackMode, readAttackMode } from "../attack/attack-option.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { readTrustedProxies, type TrustedProxies } from "../decision/client-address.js";
import { readCrossSite } from "../decision/page-origin.js";
import { readPlace, type ReaderSettings } from "../decision/reader-settings.js";
import { readDevices } from "../device/device-step.js";
import type { Devices } from "../model/devices.js";
import type { Velocity } from "../model/velocity.js";
import type { Reporter } from "../report/reporter.js";

/** Options for a login watch. `Args` are the arguments of the framework's middleware. */
export interface LoginWatchOptions<Args extends readonly [unknown, ...unknown[]]> {
  /** Receives the outcomes: a reporter to a service, or to a ledger in this process. */
  readonly reporter?: Reporter;
  /**
   * Counts failures, as a share of all logins, for a gate with the same velocity in front of the
   * route. This, `reporter`, `device` or `attackMode` is
   * required.
   */
  readonly velocity?: Velocity;
  /**
   * Counts the failures of known devices, each by itself: they do not count towards `velocity`. The
   * same as the gate's.
   */
  readonly device?: Devices;
  /** Learns which logins succeed. The same as the gate's. */
  readonly attackMode?: AttackMode;
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
  /** As in the gate's options. */
  readonly trustedOrigins?: readonly string[];
  /**
   * Returns the login's outcome if the status does not show it: true, false, or undefined for
   * neither; called after the response. By default 2xx and 3xx mean success; 400, 401, 403, 404,
   * 410, 422 and 423 failure; all others neither.
   */
  readonly success?: (...args: Args) => unknown;
  /** Receives errors thrown by selectors. The account is then unreadable, or the address unknown. */
  readonly onError?: ErrorHook;
}

export interface LoginWatchSettings<
  Args extends readonly [unknown, ...unknown[]],
> extends ReaderSettings<Args> {
  readonly reporter: Reporter | undefined;
  readonly velocity: Velocity | undefined;
  readonly device: Devices | undefined;
  readonly attackMode: AttackMode | undefined;
  readonly success: LoginWatchOptions<Args>["success"];
  readonly report: ErrorHook;
}

/** Reads {@link LoginWatchOptions}; the signatures of hooks cannot be checked. */
export function readLoginWatch<Args extends readonly [unknown, ...unknown[]]>(
  options: OptionReader,
): LoginWatchSettings<Args> {
  type Options = Required<LoginWatchOptions<Args>>;
  const expected = "a reporter, as created by createReporter()";
  const reporter = options.object<Reporter>("reporter", ["login"], expected);
  const counter = 'a velocity with `counts: "failed_logins"`, as created by createVelocity()';
  const velocity = options.object<Velocity>("velocity", ["count"], counter);
  if (velocity && velocity.counts !== "failed_logins") {
    options.refuse("velocity", counter, velocity.counts);
  }
  const device = readDevices(options);
  const attackMode = readAttackMode(options);
  if (!reporter && !velocity && !device && !attackMode)
    options.refuse("reporter", expected, undefined);
  return {
    reporter,
    velocity,
    device,
    attackMode,
    ...readPlace(options, "account", {
      expected: 'a path such as "user.email" or a function',
      remedy: "Set `account` to its path",
    }),
    selectIp: options.function<Options["ip"]>("ip"),
    trusted: readTrustedProxies(options),
    isCrossSite: readCrossSite(options),
    success: options.function<Options["success"]>("success"),
    report: createErrorReport(options.function<ErrorHook>("onError")),
  };
}
