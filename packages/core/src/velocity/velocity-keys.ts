import type { OptionReader } from "../base/options.js";
import { hmac, hmacKey, utf8Length } from "../base/platform.js";
import { isThenable } from "../model/awaitable.js";
import type { Velocity } from "../model/velocity.js";
import { type VelocityKey, VELOCITY_SUBJECTS } from "../model/velocity-reading.js";

type Values = Readonly<Record<string, string>>;

/** The application's own subjects: the option `by`. */
export interface VelocityKeys {
  readonly names: readonly string[];
  readonly valuesOf: NonNullable<Velocity["keysOf"]>;
  /** Returns the texts to count: digests, because values may be card or phone numbers. */
  textsOf(values: Values): Readonly<Record<VelocityKey, readonly string[]>>;
}

const NAME = /^[a-z]\w{0,29}$/i;
const MIN_SECRET_BYTES = 32;
/**
 * Counted for each value that is not a text: a client that sends `["code"]` instead of `"code"`
 * must not avoid the count, nor begin a new one with each list.
 */
const UNREADABLE = "\0unreadable";
/** 132 bits. */
const DIGEST_LENGTH = 22;

/**
 * Reads the options `by` and `secret`.
 * @returns Undefined without keys.
 * @throws {RiskGateError} CONFIG_INVALID for an unusable name or function, or without a secret.
 */
export function readKeys(options: OptionReader): VelocityKeys | undefined {
  const given = options.value("by");
  const readers = options.group("by");
  const secret = options.secret("secret");
  const names = readers && given ? Object.keys(given) : [];
  if (!readers || names.length === 0) return undefined;
  const functions = names.map((name) => {
    const isTaken = VELOCITY_SUBJECTS.some((subject) => subject === name);
    if (isTaken || !NAME.test(name)) {
      const expected = "named by at most 30 letters, digits and `_`, unlike a built-in subject";
      readers.refuse(name, expected, name);
    }
    const read = readers.function<(request: unknown) => unknown>(name);
    return [name, read ?? readers.refuse(name, "a function", undefined)] as const;
  });
  const key = hmacKey(readSecret(options, secret));
  return {
    names,
    valuesOf: (request, failed) => {
      const values = functions.flatMap(([name, read]) => {
        let given: unknown;
        try {
          given = read(request);
          const value = readValue(given);
          return value === undefined ? [] : [[name, value] as const];
        } catch (cause) {
          // Only this key is missing: a request must not avoid the others by breaking one.
          failed(`\`by.${name}\` of the velocity`, cause);
          const isMissing = given === undefined || isThenable(given);
          return isMissing ? [] : [[name, UNREADABLE] as const];
        }
      });
      return Object.fromEntries(values);
    },
    textsOf(values) {
      const texts = names.map((name) => {
        const value = Object.hasOwn(values, name) ? readValue(values[name]) : undefined;
        if (value === undefined) return [`by.${name}`, []];
        return [
          `by.${name}`,
          [hmac(key, `${name}\0${value}`, "base64url").slice(0, DIGEST_LENGTH)],
        ];
      });
      return Object.fromEntries(texts) as Record<VelocityKey, readonly string[]>;
    },
  };
}

function readSecret(options: OptionReader, given: unknown): string | Uint8Array {
  const isText = typeof given === "string";
  const isUsable = isText || given instanceof Uint8Array;
  if (isUsable && (isText ? utf8Length(given) : given.length) >= MIN_SECRET_BYTES) return given;
  const expected = `text or bytes, at least ${MIN_SECRET_BYTES} bytes long, if \`by\` is set`;
  return options.refuseSecret("secret", expected, given);
}

/** Returns undefined for a missing value, which is not counted. */
function readValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value.trim() || undefined;
  const isNumber = typeof value === "number" && Number.isFinite(value);
  if (isNumber || typeof value === "bigint") return String(value);
  if (isThenable(value)) value.then(undefined, () => {});
  throw new TypeError("expected text, a number, or undefined without a value");
}
