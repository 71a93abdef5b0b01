/**
 * For authors of framework adapters: framework-independent requests, and their gate and receiver.
 *
 * @module
 */
export type { Awaitable } from "./model/awaitable.js";
export { type OptionReader, readOptions } from "./base/options.js";
export type { RefusalCode, Reply } from "./base/problem.js";
export type { GatedRequest, RequestHead, ResponseState } from "./decision/gated-request.js";
export { readAnyBody } from "./decision/body-readings.js";
export { presentDecision } from "./decision/present-decision.js";
export type { GateContext } from "./decision/gate-context.js";
export type { Step, Verdict } from "./decision/step.js";
export type { RequestGateOptions } from "./gate/request-gate-options.js";
export { type RequestGate, createRequestGate } from "./gate/request-gate.js";
export { type LoginWatch, type WatchedRequest, createLoginWatch } from "./watch/login-watch.js";
export type { LoginWatchOptions } from "./watch/login-watch-options.js";
export type { Fact } from "./model/decision.js";
export type { Judged } from "./model/judged.js";
export type { WebhookOptions } from "./webhook/endpoint.js";
export { type WebhookEndpoint, createWebhookEndpoint } from "./webhook/node-endpoint.js";
