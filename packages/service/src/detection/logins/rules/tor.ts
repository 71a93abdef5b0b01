import type { LoginRule } from "./login-rule.js";

/** A login attempt through a Tor exit, whether it succeeds or not. */
export const torAttempt: LoginRule = {
  kind: "auth_tor_tentative",
  about: "both",
  fires: ({ isTor }) => isTor,
};
