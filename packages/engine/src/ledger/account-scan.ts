/** Failed logins by address, to see those that go through many accounts. */
export interface AccountScans {
  /** Notes a failure; true when it completes a scan, which then begins anew. */
  fail(address: string, account: string, atMs: number): boolean;
}

/** Accounts on which an address must fail, and the time for it, as in the service. */
const ACCOUNTS = 10;
const WINDOW_MS = 600_000;

/** Most addresses that are remembered. */
const MAX_ADDRESSES = 10_000;

/** Makes scans that have seen nothing. */
export function createAccountScans(): AccountScans {
  /** When an address last failed on each account; the address that failed last is the last one. */
  const failures = new Map<string, Map<string, number>>();
  return {
    fail(address, account, atMs) {
      const known = failures.get(address) ?? new Map<string, number>();
      failures.delete(address);
      known.set(account, atMs);
      for (const [other, lastMs] of known) if (lastMs <= atMs - WINDOW_MS) known.delete(other);
      if (known.size >= ACCOUNTS) return true;
      failures.set(address, known);
      const [oldest] = failures.keys();
      if (failures.size > MAX_ADDRESSES && oldest !== undefined) failures.delete(oldest);
      return false;
    },
  };
}
