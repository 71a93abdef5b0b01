/**
 * For authors of Web-standard adapters, in addition to the main entry.
 *
 * @module
 */
export { limitTime, presentDecision, readBodyLimits, readOptions } from "@riskgate/core/web";
export type { BodyLimitOptions, BodyLimits, Decision } from "@riskgate/core/web";
export { readAnyBody } from "./any-body.js";
export { type BodyCopy, copyBody } from "./copy-body.js";
export {
  createWebGate,
  type Passage,
  readWebGate,
  type WebGate,
  type WebGateOptions,
  type WebGateSettings,
  webGateWith,
} from "./web-gate.js";
export { type ClientInfo, withAddedHeaders } from "./web-visit.js";
export { readWebWatch, type WebWatch, type WebWatchOptions } from "./web-watch.js";
