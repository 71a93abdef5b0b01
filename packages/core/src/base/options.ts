import { RiskGateError } from "./errors.js";
import { isThenable } from "../model/awaitable.js";

/** Longest delay that a Node timer supports, in milliseconds; longer ones fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Longest value that an error message quotes, in characters. */
const MAX_SHOWN = 60;

export interface Bounds {
  readonly min?: number;
  readonly max?: number | undefined;
}

/**
 * Reads all options of a factory through one reader, and rejects every name that was not read: a
 * misspelled option must not be mistaken for an omitted one.
 *
 * @param factory Name of the function that was called, for error messages.
 * @param read Must read every option, regardless of the values of others.
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readOptions<T>(
  factory: string,
  given: unknown,
  read: (options: OptionReader) => T,
): T {
  const reader = new OptionReader(given, factory);
  const settings = read(reader);
  reader.refuseUnknown();
  return settings;
}

/**
 * Reads each option once, and own properties only: a polluted prototype or a later change to the
 * object has no effect. Every method throws CONFIG_INVALID for a value it does not accept.
 */
export class OptionReader {
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #names = new Set<string>();
  readonly #groups: OptionReader[] = [];

  /** @param path Name of the nested group; empty at the top level. */
  constructor(given: unknown, factory: string, path = "") {
    if (typeof given !== "object" || given === null || Array.isArray(given) || isThenable(given)) {
      const name = path === "" ? `the options of ${factory}()` : `\`${path}\``;
      throw refusal(`${name} must be an object, given ${show(given)}`);
    }
    this.#options = given as Readonly<Record<string, unknown>>;
    this.#path = path === "" ? "" : `${path}.`;
  }

  /** Returns the option as given, or `fallback` if it is omitted; null counts as a value. */
  value(name: string, fallback?: unknown): unknown {
    this.#names.add(name);
    const value = Object.hasOwn(this.#options, name) ? this.#options[name] : undefined;
    return value === undefined ? fallback : value;
  }

  number(name: string, fallback: number, bounds: Bounds = {}): number {
    return this.#within(name, fallback, bounds, `a number ${range(bounds)}`);
  }

  /** Returns a whole number, above 0 unless the bounds say otherwise. */
  integer(name: string, fallback: number, { min = 1, max }: Bounds = {}): number {
    const expected = `a whole number ${range({ min, max })}`;
    return this.#within(name, fallback, { min, max }, expected, Number.isSafeInteger);
  }

  /** Returns milliseconds within a timer's range, above 0 unless the bounds say otherwise. */
  durationMs(name: string, fallback: number, { min = 1, max = MAX_TIMER_MS }: Bounds = {}): number {
    const expected = `a time of ${min} to ${max} milliseconds`;
    return this.#within(name, fallback, { min, max }, expected);
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.value(name, fallback);
    return typeof value === "boolean" ? value : this.refuse(name, "true or false", value);
  }

  /** Returns a string; an empty one counts as given. */
  string(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    return this.refuse(name, "a string", value);
  }

  /**
   * Returns an optional secret as given. Refuses undefined as a value: an environment variable that
   * is not set must not be mistaken for an omitted option.
   */
  secret(name: string): unknown {
    const value = this.value(name);
    if (value === undefined && Object.hasOwn(this.#options, name)) {
      throw new RiskGateError("CONFIG_INVALID", `\`${this.#path}${name}\` is undefined`, {
        hint: "If it comes from the environment, check that it is set; to work without it, omit the option",
      });
    }
    return value;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word {
    const value = this.value(name, fallback);
    const word = words.find((known) => known === value);
    return word ?? this.refuse(name, words.map((known) => `"${known}"`).join(" or "), value);
  }

  /** Only the caller knows the signature; all that can be checked is that it is a function. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It saves each caller a cast.
  function<F>(name: string): F | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "function") return value as F | undefined;
    return this.refuse(name, "a function", value);
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.value(name);
    if (value === undefined || Array.isArray(value)) return value;
    return this.refuse(name, "a list", value);
  }

  object<T extends object>(
    name: string,
    methods: readonly (keyof T & string)[],
    expected = `an object with the method${methods.length > 1 ? "s" : ""} ${methods.join(", ")}`,
  ): T | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const members = value as Readonly<Record<string, unknown>> | null;
    const isObject = typeof value === "object" && members !== null;
    if (isObject && methods.every((method) => typeof members[method] === "function")) {
      return value as T;
    }
    return this.refuse(name, expected, value);
  }

  /**
   * Reads a nested group of options; without the group, all of them count as omitted.
   *
   * @returns Undefined if the group is switched off with `false`.
   */
  group(name: string): OptionReader | undefined {
    const value = this.value(name, {});
    if (value === false) return undefined;
    const group = new OptionReader(value, "", this.#path + name);
    this.#groups.push(group);
    return group;
  }

  /** Reads a list of groups, each with separate options; undefined if it is omitted. */
  groups(name: string): OptionReader[] | undefined {
    const groups = this.list(name)?.map(
      (value, index) => new OptionReader(value, "", `${this.#path}${name}[${index}]`),
    );
    if (groups) this.#groups.push(...groups);
    return groups;
  }

  /** Rejects a value, and shows it in the message. */
  refuse(name: string, expected: string, given: unknown): never {
    // A missing option may have been given under a misspelled name.
    const misspelled = given === undefined && this.#unread().find((one) => nearest(one, [name]));
    const advice = misspelled ? `; did you misspell it as \`${misspelled}\`?` : "";
    throw refusal(`\`${this.#path}${name}\` must be ${expected}, given ${show(given)}${advice}`);
  }

  /** Rejects a value that may contain a secret: the message shows only its type. */
  refuseSecret(name: string, expected: string, given: unknown): never {
    throw refusal(`\`${this.#path}${name}\` must be ${expected}, given ${kind(given)}`);
  }

  /** Rejects names that were not read, also in groups. */
  refuseUnknown(): void {
    for (const name of this.#unread()) {
      const near = nearest(name, this.#names);
      const known = [...this.#names].sort().map((one) => `\`${one}\``);
      const advice = near ? `did you mean \`${near}\`?` : `known are ${known.join(", ")}`;
      throw refusal(`\`${this.#path}${name}\`: unknown option; ${advice}`);
    }
    for (const group of this.#groups) group.refuseUnknown();
  }

  #within(
    name: string,
    fallback: number,
    { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds,
    expected: string,
    isUsable: (value: number) => boolean = () => true,
  ): number {
    const value = this.value(name, fallback);
    const isInside = typeof value === "number" && value >= min && value <= max;
    return isInside && isUsable(value) ? value : this.refuse(name, expected, value);
  }

  #unread(): string[] {
    return Object.keys(this.#options).filter((name) => !this.#names.has(name));
  }
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message);
}

function range({ min = 0, max }: Bounds): string {
  return max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
}

function show(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value);
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return kind(value);
}

function kind(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isThenable(value)) return "a promise; write `await` in front of it";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Returns the known name that a misspelled one probably means; undefined if none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const given = name.toLowerCase();
  let best: string | undefined;
  // Up to a third of the letters may be wrong; beyond that, a guess would mislead.
  let bestDistance = Math.floor(Math.max(name.length, 3) / 3) + 1;
  for (const one of known) {
    const candidate = one.toLowerCase();
    const isPart = given.length > 1 && candidate.startsWith(given);
    const far = isPart ? 0.5 : distance(given, candidate);
    if (far < bestDistance) [best, bestDistance] = [one, far];
  }
  return best;
}

/** Returns the number of letters to insert, remove or replace to turn one text into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
