export { type AccountResponse, revokeSessions, type SessionOwner } from "./revoke-sessions.js";
export { riskGate, type RiskGateOptions, type RiskGatePlugin } from "./risk-gate.js";
