import type { OptionReader } from "../base/options.js";
import { FLAG_OUTCOMES, type FlagOutcomes } from "../model/flag-outcomes.js";
import { FLAG_NAMES, type FlagName } from "../model/flags.js";

/**
 * Reads the option `outcomes`.
 * @returns Undefined if no flag has an outcome.
 * @throws {RiskGateError} CONFIG_INVALID for an unknown flag, or one with two outcomes.
 */
export function readFlagOutcomes(options: OptionReader): FlagOutcomes | undefined {
  const given = options.group("outcomes");
  const listOf = new Map<FlagName, string>();
  const lists = FLAG_OUTCOMES.map((outcome) => {
    const flags = (given?.list(outcome) ?? []).map((value) => {
      const flag = FLAG_NAMES.find((name) => name === value);
      if (!flag) return given!.refuse(outcome, `a list of ${FLAG_NAMES.join(", ")}`, value);
      const other = listOf.get(flag);
      if (other) given!.refuse(outcome, `without flags of \`outcomes.${other}\``, flag);
      listOf.set(flag, outcome);
      return flag;
    });
    return [outcome, Object.freeze(flags)] as const;
  });
  if (listOf.size === 0) return undefined;
  return Object.freeze(Object.fromEntries(lists.filter(([, flags]) => flags.length > 0)));
}
