/** Logins by address, to detect addresses that fail on many accounts. */
export interface AccountScans {
  /** Records a failure; returns true if it completes a scan, which then starts again. */
  fail(address: string, account: string, atMs: number): boolean;
  /** Records a success, which removes the failures of the same account. */
  pass(address: string, account: string, atMs: number): void;
}

/**
 * Minimum number of accounts on which an address fails, their minimum share, and the time window,
 * as in the service.
 */
const ACCOUNTS = 10;
const FAILURE_SHARE = 0.2;
const WINDOW_MS = 600_000;

/** Maximum number of addresses, and of successful accounts for one address. */
const MAX_ADDRESSES = 10_000;
const MAX_PASSED = 1000;

/** Times of an address's last failure and success on each account, latest account last. */
interface AddressLogins {
  readonly failed: Map<string, number>;
  readonly passed: Map<string, number>;
}

export function createAccountScans(): AccountScans {
  /** In order of the latest login. */
  const logins = new Map<string, AddressLogins>();
  const loginsOf = (address: string, atMs: number): AddressLogins => {
    const known = logins.get(address) ?? { failed: new Map(), passed: new Map() };
    logins.delete(address);
    logins.set(address, known);
    const [oldest] = logins.keys();
    if (logins.size > MAX_ADDRESSES && oldest !== undefined) logins.delete(oldest);
    forget(known.failed, atMs);
    forget(known.passed, atMs);
    return known;
  };
  return {
    fail(address, account, atMs) {
      const { failed, passed } = loginsOf(address, atMs);
      failed.set(account, atMs);
      const isScan =
        failed.size >= ACCOUNTS && failed.size >= FAILURE_SHARE * (failed.size + passed.size);
      if (isScan) failed.clear();
      return isScan;
    },
    pass(address, account, atMs) {
      const { failed, passed } = loginsOf(address, atMs);
      failed.delete(account);
      passed.delete(account);
      passed.set(account, atMs);
      const [oldest] = passed.keys();
      if (passed.size > MAX_PASSED && oldest !== undefined) passed.delete(oldest);
    },
  };
}

function forget(accounts: Map<string, number>, nowMs: number): void {
  for (const [account, atMs] of accounts) if (atMs <= nowMs - WINDOW_MS) accounts.delete(account);
}
