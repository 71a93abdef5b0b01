import { RiskGateError } from "@riskgate/core";
import { type AccountKey, parseTimestamp } from "@riskgate/core/payloads";
import { nearest, withoutBlanks } from "@riskgate/core/internal";
import type { Instant } from "../../model/instant.js";

/** How far an application's clock may be ahead of ours. */
export const CLOCK_SKEW = 300_000_000;

const FUTURE = "a time that is not in the future by the clock of the service";

/** Returns true if a value was refused because its time is in the future. */
export function isFromFuture(reason: string): boolean {
  return reason.endsWith(FUTURE);
}

/** Allowed names of account keys, all of which are safe as member names. */
const KEY_NAME = /^[A-Za-z][\w.-]{0,63}$/;

// oxlint-disable-next-line no-control-regex -- It matches control characters on purpose.
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Maximum length of text that is checked for misspellings, in characters. */
const MAX_MISSPELLED = 64;

const MAX_KEYS = 20;

/**
 * Reads the members of a reported object: only own members, each with the expected type. For an
 * invalid value, every method throws INVALID_ARGUMENT with a message that does not show the value.
 */
export class MemberReader {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #prefix: string;
  readonly #name: string;
  readonly #read = new Set<string>();

  /** @param name Name of the object in messages. */
  constructor(value: unknown, name: string, prefix = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw refusal(`${name} must be an object`);
    }
    this.#object = value as Readonly<Record<string, unknown>>;
    this.#name = name;
    this.#prefix = prefix;
  }

  /** Returns the first of the named members that is present; null counts as absent. */
  value(...names: readonly string[]): unknown {
    for (const name of names) {
      this.#read.add(name);
      const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  /** Returns true if the member is null, which removes a setting. */
  isNull(name: string): boolean {
    this.#read.add(name);
    return Object.hasOwn(this.#object, name) && this.#object[name] === null;
  }

  text(name: string, max: number, ...others: readonly string[]): string | undefined {
    const value = this.value(name, ...others);
    if (value === undefined) return undefined;
    const isText = typeof value === "string" && value.length > 0 && value.length <= max;
    // A lone surrogate could not be stored and delivered unchanged.
    if (isText && value.isWellFormed()) return value;
    return this.refuse(name, `text of 1 to ${max} characters`);
  }

  /** Reads one line of free text, which a database stores unchanged. */
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

  /** Reads one of the given words, ignoring spaces that some senders add. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const text = typeof value === "string" ? withoutBlanks(value) : undefined;
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

  /** Reads an ISO 8601 time with an offset, never in the future; default now. */
  instant(now: Instant, name: string, ...others: readonly string[]): Instant {
    const value = this.value(name, ...others);
    if (value === undefined) return now;
    const instant = parseTimestamp(value)?.epochMicros;
    if (instant === undefined || instant < 0) {
      return this.refuse(name, "ISO 8601 with an offset, such as 2026-01-31T12:00:00.000000+00:00");
    }
    if (instant > now + CLOCK_SKEW) return this.refuse(name, FUTURE);
    return Math.min(instant, now);
  }

  accountKeys(name: string): readonly AccountKey[] {
    return this.list(name, MAX_KEYS).map((value, index) => {
      const path = `${name}[${index}]`;
      const key = new MemberReader(value, `\`${path}\``, `${path}.`);
      const keyName = key.text("name", 64) ?? key.missing("name");
      if (!KEY_NAME.test(keyName)) key.refuse("name", "letters, digits, `_`, `.` and `-`");
      const keyValue = key.text("value", 320) ?? key.missing("value");
      key.refuseOthers();
      return { name: keyName, value: keyValue };
    });
  }

  /**
   * Rejects unknown members, so that a misspelled member does not count as omitted.
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

  /** Rejects the object because a required member is missing. */
  missing(name: string): never {
    throw refusal(`\`${this.#prefix}${name}\` is missing`);
  }

  refuse(name: string, expected: string): never {
    throw refusal(`\`${this.#prefix}${name}\` must be ${expected}`);
  }
}

/** Lists the expected words and suggests the most similar one, without quoting the given value. */
function oneOf(words: readonly string[], given: unknown): string {
  const near = nearestTo(given, words);
  return `one of ${words.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

function nearestTo(given: unknown, words: readonly string[]): string | undefined {
  const isShort = typeof given === "string" && given.length <= MAX_MISSPELLED;
  return isShort ? nearest(given, words) : undefined;
}

function refusal(message: string): RiskGateError {
  const hint = "Correct the named value and send it again; nothing else was affected";
  return new RiskGateError("INVALID_ARGUMENT", message, { hint });
}
