import type { Decision } from "../../src/model/decision.js";
import type { MadeDecision } from "../../src/log/log-step.js";
import { readPolicy } from "../../src/decision/policy.js";
import { readOptions } from "../../src/base/options.js";

export const SECRET = "a secret of the log, 32 bytes long";
export const EMAIL = "ann@example.com";
export const IP = "203.0.113.7";

const { terms } = readOptions("test", {}, (options) => readPolicy(options, () => {}));

/** A decision as a gate hands it over: flagged for the score of its IP address. */
export function madeDecision(
  decision: Partial<Decision> = {},
  changes: Partial<MadeDecision> = {},
): MadeDecision {
  return {
    decision: {
      id: "8b6f9cfd-0b8e-4c44-9a5a-6a2a54f1f3c2",
      outcome: "flag",
      enforced: true,
      because: "score",
      score: 55,
      ip: {
        state: "scored",
        source: "live",
        assessment: {
          risk_score: 55,
          is_vpn: true,
          is_tor: false,
          ip_geo: { country_code: "DEU" },
        },
      },
      email: { state: "scored", source: "cache", assessment: { risk_score: 5 } },
      ...decision,
    },
    ip: IP,
    email: EMAIL,
    route: "POST /signup",
    terms,
    ...changes,
  };
}
