import { RiskGateError } from "../base/errors.js";
import { typeName } from "../base/type-name.js";

/**
 * Validates facts: a misspelled fact must not look like a missing one.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function checkFacts(facts: unknown): void {
  if (typeof facts !== "object" || facts === null || Array.isArray(facts)) {
    refuse(`expected an object with \`ip\` and \`email\`, given ${typeName(facts)}`);
  }
  const names = Object.keys(facts);
  if (names.length > 0 && !("ip" in facts) && !("email" in facts)) {
    refuse(`expected \`ip\` or \`email\` in the facts, given \`${names[0]!.slice(0, 60)}\``);
  }
}

export function checkDecideOptions(options: unknown): void {
  if (typeof options !== "object" || options === null) {
    refuse(`expected an object as the options of a decision, given ${typeName(options)}`);
  }
  const { signal, scope, route } = options as Record<string, unknown>;
  const { addEventListener } = (signal ?? {}) as { addEventListener?: unknown };
  if (signal !== undefined && typeof addEventListener !== "function") {
    refuse(`expected an AbortSignal as \`signal\`, given ${typeName(signal)}`);
  }
  if (scope !== undefined && (typeof scope !== "object" || scope === null)) {
    refuse(`expected an object as \`scope\`, given ${typeName(scope)}`);
  }
  if (route !== undefined && typeof route !== "string") {
    refuse(`expected a string as \`route\`, given ${typeName(route)}`);
  }
}

function refuse(message: string): never {
  throw new RiskGateError("INVALID_ARGUMENT", message, {
    hint: "Call `gate.decide({ ip, email }, { signal })`; each is optional",
  });
}
