import { isOverlong } from "../address/mailbox.js";
import { callHook } from "../base/call-hook.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { utf8Length } from "../base/platform.js";
import { typeName } from "../base/type-name.js";
import { perRequest } from "../decision/per-request.js";
import { after, allOf, type Awaitable } from "../model/awaitable.js";
import type { Devices, DeviceTry } from "../model/devices.js";
import { identifiersIn } from "../model/user-identifiers.js";
import { readSecrets, type Secrets } from "../webhook/signature.js";
import { createDeviceCookies, type Device } from "./device-cookie.js";
import { createMemoryDeviceStore, type DeviceStore } from "./device-store.js";
import { addCookie } from "./response-cookie.js";

export interface DeviceOptions {
  /**
   * Signs the cookies: random text or bytes, at least 32 bytes. Of several, the first one that has
   * not ended signs, and all of those verify. Processes behind one route need the same secrets.
   */
  readonly secrets: Secrets;
  /**
   * Counts failures for all processes, and remembers what `clear` forgets; as created by
   * `createRedisDeviceStore()`, `createPostgresDeviceStore()` or `createMemoryDeviceStore()`. By
   * default each process counts in memory, and there is no `clear`.
   */
  readonly store?: DeviceStore;
  /** Failed logins after which a cookie is revoked, 1 to 100; default 10. */
  readonly maxFailures?: number;
  /** How long a cookie is valid after its login, in milliseconds, up to 400 days; default 180 days. */
  readonly ttlMs?: number;
  /** Milliseconds for one call of the store, default 250; after that the device counts as new. */
  readonly timeoutMs?: number;
  /** Sets cookies that browsers also send without TLS, for development; default false. */
  readonly insecure?: boolean;
  /** Receives errors of the store; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
  /** Time of day in milliseconds, for tests. */
  readonly now?: () => number;
}

const MIN_SECRET_BYTES = 32;
const DAY_MS = 24 * 3_600_000;

/** Tries by account, so that a gate and a watch use up one of them. */
const triesOf = perRequest<Devices, Map<string, Awaitable<DeviceTry>>>(() => new Map());

const NEW: DeviceTry = Object.freeze({ standing: "new", end() {} });
const REVOKED: DeviceTry = Object.freeze({ standing: "revoked", end() {} });

/**
 * Creates the recognition of browsers in which an account has logged in before: the option `device`
 * of a gate and of a `loginWatch` (`docs/devices.md`).
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createDevices(options: DeviceOptions): Devices {
  const settings = readOptions("createDevices", options, readDevices);
  const { given, maxFailures, ttlMs, timeoutMs, report, now, cookies } = settings;
  const store = given ?? createMemoryDeviceStore({ now });
  /** No cookie is older than a `clear` in the same millisecond, and none that it clears is newer. */
  let issuedMs = 0;
  let clearedMs = 0;

  const call = <T>(name: "giveBack" | "use", run: () => unknown, expects: (value: unknown) => T) =>
    callHook<T | undefined>(`\`${name}\` of the device store`, run, {
      report: (cause) =>
        report(new RiskGateError("STORE_FAILED", "the device store failed", { cause })),
      expects,
      otherwise: undefined,
      limit: { ms: timeoutMs, option: "timeoutMs" },
    });
  const tryWith = ({ id, account, issuedMs: since, leftMs }: Device): Awaitable<DeviceTry> => {
    const ask = () => store.use({ device: id, account, ttlMs: leftMs });
    return after(call("use", ask, readUse), (use) => {
      if (!use || since < use.validFromMs) return NEW;
      if (use.tries > maxFailures) return REVOKED;
      let isOver = false;
      const end = (hasFailed: boolean): void => {
        if (!isOver && !hasFailed)
          void call(
            "giveBack",
            () => store.giveBack(id),
            () => {},
          );
        isOver = true;
      };
      return { standing: "known", end };
    });
  };
  const clear = async (account: string): Promise<void> => {
    if (!given) {
      throw new RiskGateError("CONFIG_INVALID", "createDevices() needs `store` to clear devices");
    }
    checkAccount(account);
    const fromMs = (clearedMs = Math.max(now(), issuedMs + 1));
    try {
      for (const digest of await allOf(cookies.digests(account))) {
        await given.clear(digest, fromMs, ttlMs + DAY_MS);
      }
    } catch (cause) {
      throw new RiskGateError("STORE_FAILED", "the device store failed", { cause });
    }
  };

  const devices: Devices = {
    remember(response, account) {
      checkAccount(account);
      issuedMs = Math.max(now(), clearedMs);
      return after(cookies.issue(account, issuedMs), (cookie) => addCookie(response, cookie));
    },
    clear,
    async apply(response) {
      const accounts = [...new Set(identifiersIn(response.properties.user_identifiers))];
      for (const account of accounts) if (!isOverlong(account)) await clear(account);
      return accounts.length;
    },
    surplus: ({ headers: { cookie } }) => cookies.surplus(String(cookie)),
    tryOf(request, account, crossSite = false) {
      const { cookie } = request.headers;
      if (account === undefined || typeof cookie !== "string" || isOverlong(account)) return NEW;
      const tries = triesOf(request, devices);
      const known = tries.get(account);
      if (known) return known;
      // A page of another origin must not use up the tries of its visitor's cookie.
      const made = crossSite
        ? NEW
        : after(cookies.read(cookie, account), (device) => (device ? tryWith(device) : NEW));
      tries.set(account, made);
      return made;
    },
  };
  return devices;
}

function checkAccount(account: unknown): void {
  if (typeof account === "string" && account.trim() !== "" && !isOverlong(account)) return;
  throw new RiskGateError(
    "INVALID_ARGUMENT",
    `expected the account as text, given ${typeof account === "string" ? "an empty or overlong one" : typeName(account)}`,
    { hint: "Pass the mailbox or login name that the visitor entered" },
  );
}

function readUse(value: unknown): { readonly tries: number; readonly validFromMs: number } {
  const { tries, validFromMs } = (value ?? {}) as Record<string, unknown>;
  const isUsable = Number.isSafeInteger(tries) && Number.isFinite(validFromMs);
  if (isUsable) return { tries: tries as number, validFromMs: validFromMs as number };
  throw new TypeError("expected `tries` and `validFromMs` as numbers");
}

function readDevices(options: OptionReader) {
  const given = readStore(options);
  const ttlMs = options.durationMs("ttlMs", 180 * DAY_MS, { min: 60_000, max: 400 * DAY_MS });
  const insecure = options.boolean("insecure", false);
  const now = options.function<() => number>("now") ?? Date.now;
  const secrets = readSecrets(options.value("secrets") as Secrets);
  for (const [position, { key }] of secrets.entries()) {
    const length = typeof key === "string" ? utf8Length(key.trim()) : key.length;
    if (length >= MIN_SECRET_BYTES) continue;
    options.refuseSecret(`secrets[${position}]`, `at least ${MIN_SECRET_BYTES} bytes long`, key);
  }
  return {
    given,
    maxFailures: options.integer("maxFailures", 10, { max: 100 }),
    ttlMs,
    timeoutMs: options.durationMs("timeoutMs", 250),
    report: createErrorReport(options.function<ErrorHook>("onError")),
    now,
    cookies: createDeviceCookies({ secrets, ttlMs, insecure, now }),
  };
}

function readStore(options: OptionReader): DeviceStore | undefined {
  const expected = "a store that never evicts: `createRedisDeviceStore()`";
  const store = options.object<DeviceStore>("store", ["use", "giveBack", "clear"], expected);
  const { evicts } = (store ?? { evicts: false }) as { readonly evicts: unknown };
  return evicts === false ? store : options.refuse("store", expected, store);
}
