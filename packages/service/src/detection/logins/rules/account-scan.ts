import type { LoginRule } from "./login-rule.js";

/** One network fails on many accounts, whether there are such accounts or not. */
export const accountScan: LoginRule = {
  kind: "auth_scan",
  about: "network",
  fires: ({ success, isKnownNetwork, failedAccounts }, { scanAccounts }) =>
    !success && !isKnownNetwork && failedAccounts >= scanAccounts,
  size: ({ failedAccounts }) => failedAccounts,
};

/** One network fails on several accounts that exist: the attacker has a list. */
export const realAccountScan: LoginRule = {
  kind: "auth_scan_real_accounts",
  about: "network",
  fires: ({ success, isKnownNetwork, failedRealAccounts }, { scanRealAccounts }) =>
    !success && !isKnownNetwork && failedRealAccounts >= scanRealAccounts,
  size: ({ failedRealAccounts }) => failedRealAccounts,
};

/** A scanning network logs in to an account whose owner has never used it. */
export const accountScanSuccess: LoginRule = {
  kind: "auth_scan_success",
  about: "both",
  fires: (
    { success, isKnownNetwork, failedAccounts, failedRealAccounts },
    { scanAccounts, scanRealAccounts },
  ) =>
    success &&
    !isKnownNetwork &&
    (failedAccounts >= scanAccounts || failedRealAccounts >= scanRealAccounts),
};
