import { invalid } from "./option.js";

/** Bounds of a numeric option. */
export interface Range {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
}

/**
 * Reads options once, and own properties only: neither a polluted prototype nor a later change of
 * the object has any effect. Every method throws CONFIG_INVALID for a value it cannot take.
 */
export class OptionReader {
  readonly #options: object;
  readonly #prefix: string;

  /** @param name What the messages call the object; empty for the options themselves. */
  constructor(options: unknown, name = "") {
    if (typeof options !== "object" || options === null) {
      throw invalid(name || "options", "an object", options);
    }
    this.#options = options;
    this.#prefix = name && `${name}.`;
  }

  /** The option as given, or undefined. */
  value(name: string): unknown {
    return Object.hasOwn(this.#options, name)
      ? (this.#options as Record<string, unknown>)[name]
      : undefined;
  }

  number(name: string, fallback: number, range: Range): number {
    const value = this.value(name) ?? fallback;
    const { min, max = Number.MAX_SAFE_INTEGER, integer = false } = range;
    const isInside = typeof value === "number" && value >= min && value <= max;
    if (isInside && (!integer || Number.isInteger(value))) return value;
    return this.refuse(name, `a ${integer ? "whole " : ""}number from ${min} to ${max}`, value);
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.value(name) ?? fallback;
    return typeof value === "boolean" ? value : this.refuse(name, "true or false", value);
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    return this.refuse(name, "a string", value);
  }

  function(name: string): unknown {
    const value = this.value(name);
    if (value === undefined || typeof value === "function") return value;
    return this.refuse(name, "a function", value);
  }

  /** A group of options; undefined when it is switched off with `false`. */
  group(name: string): OptionReader | undefined {
    const value = this.value(name) ?? {};
    return value === false ? undefined : new OptionReader(value, name);
  }

  refuse(name: string, expected: string, given: unknown): never {
    throw invalid(this.#prefix + name, expected, given);
  }
}
