import { typeName } from "./type-name.js";
import { RiskGateError } from "./errors.js";

/** Take a number option that must be a whole number above 0. An unreadable limit is never "none". */
export function positiveInteger(name: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  if (typeof given === "number" && Number.isSafeInteger(given) && given > 0) return given;
  throw invalid(name, "a whole number above 0", given);
}

/** Take a function option. */
export function optionalFunction<F>(name: string, given: F | undefined): F | undefined {
  if (given === undefined || typeof given === "function") return given;
  throw invalid(name, "a function", given);
}

/** Take an object option by the methods it must have, wherever it inherits them from. */
export function requireMethods<T extends object>(
  name: string,
  given: T,
  methods: readonly (keyof T)[],
): T {
  const isObject = typeof given === "object" && given !== null;
  if (isObject && methods.every((method) => typeof given[method] === "function")) return given;
  throw invalid(name, `an object with the methods ${methods.join(", ")}`, given);
}

/** The error for an option that is not as expected; shows the value of numbers only. */
export function invalid(name: string, expected: string, given: unknown): RiskGateError {
  const shown = typeof given === "number" ? String(given) : typeName(given);
  return new RiskGateError("CONFIG_INVALID", `\`${name}\` must be ${expected}, given ${shown}`);
}
