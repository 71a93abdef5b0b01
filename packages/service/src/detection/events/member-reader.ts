import { RiskGateError } from "@riskgate/core";
import { type AccountKey, parseTimestamp } from "@riskgate/core/payloads";
import { nearest } from "@riskgate/core/internal";
import type { Instant } from "../../model/instant.js";

/** How far a clock of an application may be ahead of ours. */
const CLOCK_SKEW = 300_000_000;

/** Names that an account key can have: what is safe as the name of a member. */
const KEY_NAME = /^[A-Za-z][\w.-]{0,63}$/;

// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Longest text that is compared with words, in characters. */
const MAX_MISSPELLED = 64;

/** Most keys that identify one account. */
const MAX_KEYS = 20;

/**
 * Reads the members of one reported object: own ones only, each of the stated type. Every method
 * throws INVALID_ARGUMENT for a value it cannot take, with a message that shows no value.
 */
export class MemberReader {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #prefix: string;
  readonly #name: string;
  readonly #read = new Set<string>();

  /** @param name What the messages call the object. */
  constructor(value: unknown, name: string, prefix = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw refusal(`${name} must be an object`);
    }
    this.#object = value as Readonly<Record<string, unknown>>;
    this.#name = name;
    this.#prefix = prefix;
  }

  /** The member under the first of the names that is present; null counts as absent. */
  value(...names: readonly string[]): unknown {
    for (const name of names) {
      this.#read.add(name);
      const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  text(name: string, max: number, ...others: readonly string[]): string | undefined {
    const value = this.value(name, ...others);
    if (value === undefined) return undefined;
    const isText = typeof value === "string" && value.length > 0 && value.length <= max;
    // A lone surrogate could not be stored and delivered as it was given.
    if (isText && value.isWellFormed()) return value;
    return this.refuse(name, `text of 1 to ${max} characters`);
  }

  /** Text that people choose: one line of it, which a database keeps as it is. */
  line(name: string, max: number): string | undefined {
    const text = this.text(name, max);
    if (text === undefined || !CONTROL.test(text)) return text;
    return this.refuse(name, `text of 1 to ${max} characters, and no control characters`);
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "boolean") return value;
    return this.refuse(name, "true or false");
  }

  number(name: string, min: number, max: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === "number" && value >= min && value <= max) return value;
    return this.refuse(name, `a number from ${min} to ${max}`);
  }

  whole(name: string, min: number, max: number): number | undefined {
    const value = this.number(name, min, max);
    if (value === undefined || Number.isInteger(value)) return value;
    return this.refuse(name, "a whole number");
  }

  list(name: string, max: number): readonly unknown[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length <= max) return value;
    return this.refuse(name, `a list of at most ${max}`);
  }

  /** One of some words; blanks in it are removed, as a known fault of some senders. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const text = typeof value === "string" ? value.replace(/\s+/g, "") : undefined;
    const word = words.find((one) => one === text);
    return word ?? this.refuse(name, oneOf(words, text));
  }

  words<Word extends string>(name: string, words: readonly Word[]): readonly Word[] | undefined {
    if (this.value(name) === undefined) return undefined;
    const list = this.list(name, words.length);
    const isKnown = (value: unknown): value is Word => words.some((word) => word === value);
    if (list.length > 0 && list.every(isKnown)) return list;
    const wrong = list.findIndex((value) => !isKnown(value));
    return wrong === -1
      ? this.refuse(name, `a list with at least one of ${words.join(", ")}`)
      : this.refuse(`${name}[${wrong}]`, oneOf(words, list[wrong]));
  }

  /** ISO 8601 with an offset; by default now, and never in the future. */
  instant(now: Instant, name: string, ...others: readonly string[]): Instant {
    const value = this.value(name, ...others);
    if (value === undefined) return now;
    const instant = parseTimestamp(value)?.epochMicros;
    if (instant === undefined || instant < 0) {
      return this.refuse(name, "ISO 8601 with an offset, such as 2026-01-31T12:00:00.000000+00:00");
    }
    if (instant > now + CLOCK_SKEW) return this.refuse(name, "a time that is not in the future");
    return Math.min(instant, now);
  }

  accountKeys(name: string): readonly AccountKey[] {
    return this.list(name, MAX_KEYS).map((value, index) => {
      const path = `${name}[${index}]`;
      const key = new MemberReader(value, `\`${path}\``, `${path}.`);
      const keyName = key.text("name", 64) ?? key.missing("name");
      if (!KEY_NAME.test(keyName)) key.refuse("name", "letters, digits, `_`, `.` and `-`");
      return { name: keyName, value: key.text("value", 320) ?? key.missing("value") };
    });
  }

  /**
   * Refuse the object for a member that nobody has asked for: a misspelled setting must not pass for one
   * that was left out. Not for reports, which may have members of later versions.
   */
  refuseOthers(): void {
    const other = Object.keys(this.#object).find((name) => !this.#read.has(name));
    if (other === undefined) return;
    const shown = (name: string): string => `\`${this.#prefix}${name}\``;
    const known = [...this.#read].map(shown).join(", ");
    const taken = known === "" ? "takes no members" : `only takes ${known}`;
    const near = nearestTo(other, [...this.#read]);
    const advice = near === undefined ? "" : `; did you mean ${shown(near)}?`;
    throw refusal(`${this.#name} ${taken}${advice}`);
  }

  /** Refuse the object for a member that it must have, and has not. */
  missing(name: string): never {
    throw refusal(`\`${this.#prefix}${name}\` is missing`);
  }

  refuse(name: string, expected: string): never {
    throw refusal(`\`${this.#prefix}${name}\` must be ${expected}`);
  }
}

/** The words that are expected, and the one that was probably meant; what was given is not shown. */
function oneOf(words: readonly string[], given: unknown): string {
  const near = nearestTo(given, words);
  return `one of ${words.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

function nearestTo(given: unknown, words: readonly string[]): string | undefined {
  const isShort = typeof given === "string" && given.length <= MAX_MISSPELLED;
  return isShort ? nearest(given, words) : undefined;
}

function refusal(message: string): RiskGateError {
  const hint = "Correct what is named and report it again; the rest was not affected";
  return new RiskGateError("INVALID_ARGUMENT", message, { hint });
}
