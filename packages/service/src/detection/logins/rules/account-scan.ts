import type { LoginThresholds } from "../login-thresholds.js";
import { isNewLogin, isOutOfProportion, type LoginRule, type LoginView } from "./login-rule.js";

/** Failures on many accounts from one network, whether the accounts exist or not. */
export const accountScan: LoginRule = {
  kind: "auth_scan",
  about: "network",
  fires: (view, thresholds) => !view.success && !view.isKnownNetwork && scansAny(view, thresholds),
  size: ({ failedAccounts }) => failedAccounts,
};

/** Failures on several existing accounts from one network: the attacker has a list. */
export const realAccountScan: LoginRule = {
  kind: "auth_scan_real_accounts",
  about: "network",
  fires: (view, thresholds) => !view.success && !view.isKnownNetwork && scansReal(view, thresholds),
  size: ({ failedRealAccounts }) => failedRealAccounts,
};

/** Failures on one account that are guesses, because people rarely mistype so often. */
const GUESSES = 3;

/**
 * A login after guesses on the account, from a scanning network and a browser that its owner has
 * never used.
 * Without guesses it may be the owner, on a network on which somebody else scans.
 */
export const accountScanSuccess: LoginRule = {
  kind: "auth_scan_success",
  about: "both",
  fires: (view, thresholds) =>
    isNewLogin(view) &&
    view.ownFailures >= GUESSES &&
    (scansAny(view, thresholds) || scansReal(view, thresholds)),
};

function scansAny({ failedAccounts, passedAccounts }: LoginView, thresholds: LoginThresholds) {
  return (
    failedAccounts >= thresholds.scanAccounts &&
    isOutOfProportion(failedAccounts, passedAccounts, thresholds)
  );
}

function scansReal({ failedRealAccounts, passedAccounts }: LoginView, thresholds: LoginThresholds) {
  return (
    failedRealAccounts >= thresholds.scanRealAccounts &&
    isOutOfProportion(failedRealAccounts, passedAccounts, thresholds)
  );
}
