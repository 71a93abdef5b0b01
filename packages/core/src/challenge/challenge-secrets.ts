import type { OptionReader } from "../base/options.js";
import { utf8Length } from "../base/platform.js";

const MIN_SECRET_BYTES = 32;

/** Reads one secret or a list of different ones. */
export function readSecretList(options: OptionReader, option: string): readonly string[] {
  const given = options.value(option);
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const expected = `a text of at least ${MIN_SECRET_BYTES} bytes, or a list of them`;
  if (list.length === 0) return options.refuseSecret(option, expected, undefined);
  const secrets = list.map((secret, position) => {
    const name = Array.isArray(given) ? `${option}[${position}]` : option;
    const isLong = typeof secret === "string" && utf8Length(secret.trim()) >= MIN_SECRET_BYTES;
    return isLong ? secret : options.refuseSecret(name, expected, secret);
  });
  if (new Set(secrets).size < secrets.length) {
    return options.refuseSecret(option, "secrets that differ from each other", given);
  }
  return secrets;
}
