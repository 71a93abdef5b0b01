import type { IgnoredReason } from "./parse-delivery.js";
import type { RawObject } from "./raw-object.js";
import { invalid } from "../base/option.js";
import type { Incident, SecurityEvent, SecurityResponse, TestPayload } from "./payload.js";
import { PAYLOAD_TYPES } from "./vocabulary.js";

/** What a handler is told beside the payload. */
export interface HandlerContext {
  /** Id of the secret that the delivery was signed with: shows when a rotated secret has gone quiet. */
  readonly secretId: string;
  /** Place in the array of the delivery. */
  readonly index: number;
  /** The payload as it was sent, in its own spelling. */
  readonly raw: RawObject;
  /** Ends when the time for the handlers of the delivery is over. */
  readonly signal: AbortSignal;
}

/** A payload of a type, category or kind that this version does not know. */
export interface UnknownContext extends HandlerContext {
  readonly reason: IgnoredReason;
}

/**
 * Handlers by payload type. A handler that throws or rejects fails the delivery, and only what failed
 * runs again when it is delivered again.
 */
export interface WebhookHandlers {
  security_event?(event: SecurityEvent, context: HandlerContext): unknown;
  pulse?(incident: Incident, context: HandlerContext): unknown;
  security_response?(response: SecurityResponse, context: HandlerContext): unknown;
  test?(payload: TestPayload, context: HandlerContext): unknown;
  /** Without it such payloads are ignored, and the delivery is still a success. */
  unknown?(payload: RawObject, context: UnknownContext): unknown;
}

/** Any handler, once it is paired with its payload. */
export type AnyHandler = (payload: unknown, context: UnknownContext | HandlerContext) => unknown;

/**
 * Take the handlers of a webhook, own members only.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a name that is no payload type, which would otherwise
 * never be called.
 */
export function takeHandlers(on: WebhookHandlers): ReadonlyMap<string, AnyHandler> {
  if (typeof on !== "object" || on === null) throw invalid("on", "an object of handlers", on);
  const names: readonly string[] = [...PAYLOAD_TYPES, "unknown"];
  const handlers = new Map<string, AnyHandler>();
  for (const [name, handler] of Object.entries(on) as [string, unknown][]) {
    if (!names.includes(name)) throw invalid(`on.${name}`, `one of ${names.join(", ")}`, name);
    if (handler === undefined) continue;
    if (typeof handler !== "function") throw invalid(`on.${name}`, "a function", handler);
    handlers.set(name, handler.bind(on) as AnyHandler);
  }
  return handlers;
}
