import { isNewLogin, type LoginRule } from "./login-rule.js";

/** Many failures on one account, from networks that its owner has never used. */
export const bruteforce: LoginRule = {
  kind: "auth_bruteforce",
  about: "account",
  fires: ({ success, failures, isKnownNetwork }, { bruteforceFailures }) =>
    !success && !isKnownNetwork && failures >= bruteforceFailures,
  size: ({ failures }) => failures,
};

/** A success after that many failures, from a network and a browser that the owner has never used. */
export const bruteforceSuccess: LoginRule = {
  kind: "auth_bruteforce_success",
  about: "both",
  fires: (view, { bruteforceFailures }) =>
    isNewLogin(view) && view.remainingFailures >= bruteforceFailures,
};
