import type { ErrorCode } from "../../src/base/errors.js";
import { RiskGateError } from "../../src/base/errors.js";
import { createGate, type Facts, type Gate } from "../../src/gate/gate.js";
import type { GateOptions } from "../../src/gate/steps.js";
import { type Answer, doubleLookup, type DoubleLookup } from "./double-lookup.js";

export const IP = "8.8.8.8";
export const EMAIL = "a@x.y";
export const BOTH: Facts = { ip: IP, email: EMAIL };

/** A gate over set answers, with the codes of the errors it reported. */
export function gateOver(
  answers: Record<string, Answer>,
  options: Partial<GateOptions> = {},
): { gate: Gate; lookup: DoubleLookup; errors: ErrorCode[] } {
  const lookup = doubleLookup(answers);
  const errors: ErrorCode[] = [];
  const gate = createGate({ lookup, onError: ({ code }) => errors.push(code), ...options });
  return { gate, lookup, errors };
}

/** A lookup's error of this code. */
export const failing = (code: ErrorCode): Error => new RiskGateError(code, "scripted");
