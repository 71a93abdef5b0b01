import type { LoginRule } from "./login-rule.js";

/** A try to log in through a Tor exit, whether it succeeds or not. */
export const torAttempt: LoginRule = {
  kind: "auth_tor_tentative",
  about: "both",
  fires: ({ isTor }) => isTor,
};
