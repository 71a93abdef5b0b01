import { HIGH_RISK_FACTOR, type History } from "../ledger/ledger.js";
import type { Origin } from "./explanation.js";
import type { Finding } from "./score.js";
import type { Weights } from "./weights.js";

/** Number of ordinary events that bring a history half-way to its full weight. */
const HALF_WAY = 10;

/** Returns a history's findings: each event adds less than the one before. */
export function findHistory(history: History, weights: Weights, findings: Finding[]): void {
  if (history.is_known_attacker) findings.push({ name: "attacker", weight: weights.attacker });
  const events = history.security_events_count;
  const highRisk = history.high_risk_security_events_count;
  if (events + highRisk === 0) return;
  const sum = history.weight ?? events + (HIGH_RISK_FACTOR - 1) * highRisk;
  const weight = Math.floor((weights.history * sum) / (sum + HALF_WAY));
  findings.push({ name: "history", weight });
}

export function originOfHistory(history: History): Origin {
  const { security_events_count: all, high_risk_security_events_count: highRisk } = history;
  return {
    source: "ledger",
    detail: `${all} ${all === 1 ? "event" : "events"}, ${highRisk} of high risk`,
    ...(history.lastEventAtMs !== undefined && { lastEventAtMs: history.lastEventAtMs }),
  };
}
