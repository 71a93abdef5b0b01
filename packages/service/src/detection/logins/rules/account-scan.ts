import type { LoginRule } from "./login-rule.js";

/** Failures on many accounts from one network, whether the accounts exist or not. */
export const accountScan: LoginRule = {
  kind: "auth_scan",
  about: "network",
  fires: ({ success, isKnownNetwork, failedAccounts }, { scanAccounts }) =>
    !success && !isKnownNetwork && failedAccounts >= scanAccounts,
  size: ({ failedAccounts }) => failedAccounts,
};

/** Failures on several existing accounts from one network: the attacker has a list. */
export const realAccountScan: LoginRule = {
  kind: "auth_scan_real_accounts",
  about: "network",
  fires: ({ success, isKnownNetwork, failedRealAccounts }, { scanRealAccounts }) =>
    !success && !isKnownNetwork && failedRealAccounts >= scanRealAccounts,
  size: ({ failedRealAccounts }) => failedRealAccounts,
};

/** A login from a scanning network that the account's owner has never used. */
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
