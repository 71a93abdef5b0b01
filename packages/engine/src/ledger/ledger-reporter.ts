import {
  type EventReport,
  isRiskGateError,
  type LoginReport,
  type Reporter,
  RiskGateError,
} from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import {
  checkCount,
  checkEvent,
  checkLabel,
  checkLogin,
  createDropNotice,
  type DropHook,
} from "@riskgate/core/internal";
import { foldEmail } from "@riskgate/core/address";
import { createAccountScans } from "./account-scan.js";
import { riskOfKind } from "./kind-risk.js";
import type { Ledger, LedgerEvent } from "./ledger.js";

export interface LedgerReporterOptions {
  /** The engine's ledger. `flush` saves it if it has `save`, as a file ledger does. */
  readonly ledger: Ledger & { save?(): Promise<void> };
  /** Receives refused and lost reports, at most once a minute for each error code. */
  readonly onDrop?: DropHook;
}

/** Maximum number of stored event ids, so that none counts twice. */
const MAX_IDS = 10_000;

/**
 * Creates a reporter that adds reports to a ledger in this process, so that scores reflect them
 * without a service. Events count towards their address and account, as in the service. An address
 * that fails on ten accounts within ten minutes, and on a fifth of all its accounts, is recorded as
 * an account scan; a success removes the failures of the same account. All other login rules,
 * incidents and counters require the service.
 *
 * @throws {RiskGateError} CONFIG_INVALID. No method of the reporter throws or rejects.
 *
 * @example
 * const ledger = createMemoryLedger();
 * const engine = await createEngine({ ledger });
 * const reporter = createLedgerReporter({ ledger });
 * reporter.event({ kind: "sql_injection", address: "203.0.113.7" });
 */
export function createLedgerReporter(options: LedgerReporterOptions): Reporter {
  const { ledger, onDrop } = readOptions("createLedgerReporter", options, (reader) => ({
    ledger:
      reader.object<LedgerReporterOptions["ledger"]>("ledger", ["record"]) ??
      reader.refuse("ledger", "a ledger, such as createMemoryLedger()", undefined),
    onDrop: reader.function<DropHook>("onDrop"),
  }));
  const notice = createDropNotice(onDrop);
  const scans = createAccountScans();
  const ids = new Set<string>();
  const ends = { accepted: 0, duplicates: 0, refused: 0, dropped: 0 };
  let counted = 0;

  const take = (read: () => void): void => {
    try {
      read();
    } catch (thrown) {
      const isRefused = isRiskGateError(thrown) && thrown.code === "INVALID_ARGUMENT";
      ends[isRefused ? "refused" : "dropped"]++;
      notice.add(isRefused ? thrown : failure(thrown), 1);
    }
  };
  const record = (event: LedgerEvent): void => {
    try {
      ledger.record(event);
    } catch (cause) {
      throw failure(cause);
    }
  };

  const event = (given: EventReport): void => {
    const { kind, id, address, account, atMs } = readSafely(() => checkEvent(given));
    if (ids.has(id)) {
      ends.duplicates++;
      return;
    }
    const risk = riskOfKind(kind);
    const at = atMs !== undefined && { occurredAtMs: atMs };
    if (address !== undefined && risk.countsForAddress) {
      record({ ip: address, highRisk: risk.address, ...at });
    }
    if (account !== undefined) record({ email: foldEmail(account), highRisk: risk.account, ...at });
    ids.add(id);
    const [oldest] = ids;
    if (ids.size > MAX_IDS && oldest !== undefined) ids.delete(oldest);
    ends.accepted++;
  };
  const login = (given: LoginReport): void => {
    const { account, address, success, atMs, crossSite } = readSafely(() => checkLogin(given));
    const at = atMs ?? Date.now();
    if (success) scans.pass(address, foldEmail(account), at);
    // A login that another site's page made a browser send never counts towards the address.
    const isScan = !success && !crossSite && scans.fail(address, foldEmail(account), at);
    if (isScan) record({ ip: address, ...(atMs !== undefined && { occurredAtMs: atMs }) });
    ends.accepted++;
  };
  const flush = async (): Promise<void> => {
    try {
      await ledger.save?.();
    } catch (thrown) {
      notice.add(failure(thrown), 0);
    }
  };
  const close = async (): Promise<void> => {
    await flush();
    notice.flush();
  };

  return Object.freeze({
    event: (given) => take(() => event(given)),
    login: (given) => take(() => login(given)),
    label: (given) =>
      take(() => {
        readSafely(() => checkLabel(given));
        throw new RiskGateError("INVALID_ARGUMENT", "a ledger does not store labels", {
          hint: "Label decisions at a service, with createReporter",
        });
      }),
    count: (counter, by = 1) =>
      take(() => {
        checkCount(counter, by);
        counted += by;
      }),
    stats: () => ({
      queued: 0,
      queuedBytes: 0,
      ...ends,
      counts: { queued: 0, accepted: counted, dropped: 0 },
    }),
    flush,
    close,
    [Symbol.asyncDispose]: close,
  } satisfies Reporter);
}

/** Reading an application's report may throw. */
function readSafely<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (isRiskGateError(thrown)) throw thrown;
    throw new RiskGateError("INVALID_ARGUMENT", "the report threw while it was read", {
      cause: thrown,
    });
  }
}

function failure(cause: unknown): RiskGateError {
  if (isRiskGateError(cause)) return cause;
  return new RiskGateError("STORE_FAILED", "the ledger did not take an event", { cause });
}
