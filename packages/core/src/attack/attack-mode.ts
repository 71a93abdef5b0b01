import { callHook } from "../base/call-hook.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { perRequest } from "../decision/per-request.js";
import type { AttackReading, LoginCounts, LoginEnding } from "../model/attack.js";
import { after, type Awaitable } from "../model/awaitable.js";
import type { AttackMode } from "./attack-option.js";
import { attackStep } from "./attack-step.js";
import { type AttackStore, createMemoryAttackStore } from "./attack-store.js";
import type { UnusualLogins } from "./usual-logins.js";
import { type WatchedRoute, watchRoute } from "./watched-route.js";

export interface AttackModeOptions {
  /**
   * Names the counts of the route in the store; default `login`. Routes with the same name and store
   * count together.
   */
  readonly name?: string;
  /**
   * Counts for all processes; as created by `createRedisAttackStore()` or
   * `createPostgresAttackStore()`. By default each process counts in memory.
   */
  readonly store?: AttackStore;
  /**
   * Failures of logins without a known device in ten minutes that never start attack mode; default
   * 30.
   */
  readonly minimum?: number;
  /** `observe` adds `attack` to decisions but challenges nobody; default `enforce`. */
  readonly mode?: "enforce" | "observe";
  /** Milliseconds for one call of the store, default 250; then the process uses its own counts. */
  readonly timeoutMs?: number;
  /** Receives errors of the store; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
  /** Time of day in milliseconds, for tests. */
  readonly now?: () => number;
}

interface Login {
  isKnown?: boolean;
  reading?: Awaitable<AttackReading | undefined>;
  readonly ends: Set<LoginEnding>;
}

const loginOf = perRequest<object, Login>(() => ({ ends: new Set() }));

const CORRECTIONS: Readonly<Record<LoginEnding, Partial<LoginCounts>>> = {
  succeeded: { failed: -1 },
  passed: { fresh: -1, failed: -1 },
  refused: { fresh: -1, failed: -1 },
};

/**
 * Creates the attack mode of a login route: the option `attackMode` of its gate and its `loginWatch`
 * (`docs/attack-mode.md`).
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createAttackMode(options: AttackModeOptions = {}): AttackMode {
  const settings = readOptions("createAttackMode", options, readAttackModeOptions);
  const { store, timeoutMs, report, enforced, now } = settings;
  const own = watchRoute(createMemoryAttackStore({ now }), settings);
  const shared = store && watchRoute(store, settings);

  const call = <T>(run: () => unknown, otherwise: T): Awaitable<T> =>
    callHook<T>("`count` of the attack store", run, {
      report: (cause) =>
        report(new RiskGateError("STORE_FAILED", "the attack store failed", { cause })),
      otherwise,
      limit: { ms: timeoutMs, option: "timeoutMs" },
    });
  const add = (adds: Partial<LoginCounts>): void => {
    void own.add(adds);
    if (shared) void call(() => shared.add(adds), undefined);
  };
  const readingIn = (): Awaitable<AttackReading | undefined> => {
    const here = beginHere(own);
    const found = shared
      ? call<UnusualLogins | "failed" | undefined>(() => shared.begin(), "failed")
      : here;
    return after(found, (unusual) => {
      // Without the store, the process uses its own counts.
      const used = unusual === "failed" ? here : unusual;
      return used && { ...used, enforced };
    });
  };

  const mode: Omit<AttackMode, "step"> = {
    enforced,
    isSync: !store || store.isSync === true,
    begin(request, isKnown) {
      const login = loginOf(request, mode);
      if (login.isKnown !== undefined) return login.reading;
      login.isKnown = isKnown;
      // Never waited for, so attack mode costs a known device nothing.
      if (isKnown) add({ known: 1 });
      else login.reading = readingIn();
      return login.reading;
    },
    end(request, how) {
      const { isKnown, ends } = loginOf(request, mode);
      if (isKnown !== false || ends.has(how)) return;
      ends.add(how);
      add(CORRECTIONS[how]);
    },
  };
  return { ...mode, step: attackStep(mode) };
}

/** The store in memory returns no promise. */
function beginHere(own: WatchedRoute): UnusualLogins | undefined {
  return own.begin() as UnusualLogins | undefined;
}

function readAttackModeOptions(options: OptionReader) {
  const name = options.string("name") ?? "login";
  if (!/^[\w.:-]{1,64}$/.test(name)) {
    options.refuse("name", "1 to 64 letters, digits, dots, colons and hyphens", name);
  }
  return {
    name,
    store: options.object<AttackStore>("store", ["count"]),
    minimum: options.integer("minimum", 30, { max: 1_000_000 }),
    enforced: options.oneOf("mode", ["enforce", "observe"], "enforce") === "enforce",
    timeoutMs: options.durationMs("timeoutMs", 250),
    report: createErrorReport(options.function<ErrorHook>("onError")),
    now: options.function<() => number>("now") ?? Date.now,
  };
}
