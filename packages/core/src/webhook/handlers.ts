import type { IgnoredReason } from "../model/delivery.js";
import type { RawObject } from "../model/raw-object.js";
import { RiskGateError } from "../base/errors.js";
import { OptionReader } from "../base/options.js";
import type { Incident, SecurityEvent, SecurityResponse, TestPayload } from "../model/payload.js";
import { PAYLOAD_TYPES } from "../model/vocabulary.js";

export interface HandlerContext {
  /** Id of the secret that signed the delivery; shows when a rotated secret is no longer used. */
  readonly secretId: string;
  /** Index in the delivered array. */
  readonly index: number;
  /** The payload as sent, in its original spelling and with its envelope. */
  readonly raw: RawObject;
  /** Fires when the time for the delivery's handlers has run out. */
  readonly signal: AbortSignal;
}

/** Context of a payload whose type, category or kind is missing or unknown to this version. */
export interface UnknownContext extends HandlerContext {
  readonly reason: IgnoredReason;
}

/**
 * Handlers by payload type. A handler that throws or rejects fails the delivery; a redelivery
 * repeats only failed handlers.
 */
export interface WebhookHandlers {
  security_event?(event: SecurityEvent, context: HandlerContext): unknown;
  pulse?(incident: Incident, context: HandlerContext): unknown;
  security_response?(response: SecurityResponse, context: HandlerContext): unknown;
  test?(payload: TestPayload, context: HandlerContext): unknown;
  /** Without it, these payloads are ignored, and the delivery still succeeds. */
  unknown?(payload: RawObject, context: UnknownContext): unknown;
  /** With the scheme `"standard"`, in place of `unknown`: receives what other services send. */
  message?(message: RawObject, context: UnknownContext): unknown;
}

export type AnyHandler = (payload: unknown, context: UnknownContext | HandlerContext) => unknown;

export type Handlers = ReadonlyMap<string, AnyHandler>;

/**
 * Reads the option `on`, with the handler `rest` for payloads of any other type: a plain object, of which only own members count, or a class instance,
 * which inherits methods and may have other members.
 * @throws {RiskGateError} CONFIG_INVALID if no handler would ever be called, and for a member of a
 * plain object that is not a payload type.
 */
export function readHandlers(options: OptionReader, rest: "unknown" | "message"): Handlers {
  const on = options.value("on");
  if (typeof on !== "object" || on === null) {
    return options.refuse("on", "an object of handlers by payload type", on);
  }
  const names = [...PAYLOAD_TYPES, rest];
  const group = isPlain(on) ? options.group("on")! : membersOf(on, names);
  const handlers = new Map<string, AnyHandler>();
  for (const name of names) {
    const handler = group.function<AnyHandler>(name);
    if (handler) handlers.set(name === rest ? "unknown" : name, handler.bind(on));
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

/** Returns the members of an instance with these names, own or inherited. */
function membersOf(instance: object, names: readonly string[]): OptionReader {
  const members: Record<string, unknown> = {};
  for (let holder = instance; !isRoot(holder); holder = Object.getPrototypeOf(holder) as object) {
    for (const name of names) {
      if (Object.hasOwn(holder, name)) members[name] ??= (instance as typeof members)[name];
    }
  }
  return new OptionReader(members, "", "on");
}

/** Returns true for a root prototype: a polluted one must not supply handlers. */
function isRoot(holder: object): boolean {
  return Object.getPrototypeOf(holder) === null;
}
