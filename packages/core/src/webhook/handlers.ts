import type { IgnoredReason } from "../model/delivery.js";
import type { RawObject } from "../model/raw-object.js";
import { RiskGateError } from "../base/errors.js";
import { OptionReader } from "../base/options.js";
import type { Incident, SecurityEvent, SecurityResponse, TestPayload } from "../model/payload.js";
import { PAYLOAD_TYPES } from "../model/vocabulary.js";

/** Second argument of a handler, next to the payload. */
export interface HandlerContext {
  /** Id of the secret that the delivery was signed with: shows when a rotated secret has gone quiet. */
  readonly secretId: string;
  /** Place in the array of the delivery. */
  readonly index: number;
  /** The payload as it was sent, in its own spelling and with its envelope. */
  readonly raw: RawObject;
  /** Ends when the time for the handlers of the delivery is over. */
  readonly signal: AbortSignal;
}

/** Context of a payload of a type, category or kind that this version does not know, or of no type. */
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
 * Reads the option `on`: a plain object, by its own members, or an instance of a class, which inherits
 * its methods and may have other members.
 *
 * @throws {RiskGateError} CONFIG_INVALID where no handler would ever be called, and for a member of a
 * plain object that is not a payload type.
 */
export function readHandlers(options: OptionReader): Handlers {
  const on = options.value("on");
  if (typeof on !== "object" || on === null) {
    return options.refuse("on", "an object of handlers by payload type", on);
  }
  const names = [...PAYLOAD_TYPES, "unknown"];
  const group = isPlain(on) ? options.group("on")! : membersOf(on, names);
  const handlers = new Map<string, AnyHandler>();
  for (const name of names) {
    const handler = group.function<AnyHandler>(name);
    if (handler) handlers.set(name, handler.bind(on));
  }
  group.refuseUnknown();
  if (handlers.size > 0) return handlers;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `\`on\` needs at least one handler: ${names.join(", ")}`,
  );
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The members of an instance with these names, its own or inherited. */
function membersOf(instance: object, names: readonly string[]): OptionReader {
  const members: Record<string, unknown> = {};
  for (let holder = instance; !isRoot(holder); holder = Object.getPrototypeOf(holder) as object) {
    for (const name of names) {
      if (Object.hasOwn(holder, name)) members[name] ??= (instance as typeof members)[name];
    }
  }
  return new OptionReader(members, "", "on");
}

/** Whether every object inherits this one: a polluted prototype must not pass for a handler. */
function isRoot(holder: object): boolean {
  return Object.getPrototypeOf(holder) === null;
}
