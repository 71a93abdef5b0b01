/**
 * What authors of adapters on Web standards need beside the main entry.
 *
 * @module
 */
export { presentDecision } from "@riskgate/core/web";
export type { Decision } from "@riskgate/core/web";
export { fieldsOf, parseAnyBody, parseBody } from "./parse-body.js";
export { createWebGate, type Passage, type WebGate, type WebGateOptions } from "./web-gate.js";
export type { ClientInfo } from "./web-visit.js";
