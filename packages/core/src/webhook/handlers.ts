import type { IgnoredReason } from "./delivery.js";
import type { RawObject } from "./raw-object.js";
import type { OptionReader } from "../base/options.js";
import type { Incident, SecurityEvent, SecurityResponse, TestPayload } from "./payload.js";
import { PAYLOAD_TYPES } from "./vocabulary.js";

/** What a handler receives beside the payload. */
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

/** Context of a payload of a type, category or kind that this version does not know. */
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

/** Handlers by payload type, and perhaps one for `unknown`. */
export type Handlers = ReadonlyMap<string, AnyHandler>;

/**
 * Read the option `on`, own members only.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a name that is not a payload type: its handler would
 * never be called.
 */
export function readHandlers(options: OptionReader): Handlers {
  const on = options.value("on");
  if (typeof on !== "object" || on === null) {
    return options.refuse("on", "an object of handlers by payload type", on);
  }
  const group = options.group("on")!;
  const handlers = new Map<string, AnyHandler>();
  for (const name of [...PAYLOAD_TYPES, "unknown"]) {
    const handler = group.function<AnyHandler>(name);
    if (handler) handlers.set(name, handler.bind(on));
  }
  return handlers;
}
