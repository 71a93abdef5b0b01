import { mailboxOf } from "@riskgate/core/address";
import type { Subject } from "../model/subject.js";
import type { ServiceRules } from "../lookups/operator-rule-set.js";

/** Operator rules that an operator maintains by allowing addresses and accounts. */
const RULES = {
  ip: { name: "Allowed addresses", condition: "network" },
  account: { name: "Allowed accounts", condition: "email" },
} as const;

type AllowedType = keyof typeof RULES;

/** The addresses and accounts that an operator rule allows by name. */
export interface AllowedSubjects {
  has(subject: Subject): boolean;
  /**
   * Adds subjects to an operator rule that precedes all others, or removes them.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT if a rule would be too long; STORE_FAILED
   */
  set(subjects: readonly Subject[], isAllowed: boolean): Promise<void>;
}

export function createAllowedSubjects(
  rules: Pick<ServiceRules, "list" | "replace" | "follow">,
): AllowedSubjects {
  const listed = (type: AllowedType): readonly string[] => {
    const { name, condition } = RULES[type];
    return rules.list().find((rule) => rule.name === name)?.when[condition] ?? [];
  };
  const change = async (subjects: readonly Subject[], isAllowed: boolean): Promise<void> => {
    // Another process may have changed the rules.
    await rules.follow();
    const own = (["ip", "account"] as const).flatMap((type) => {
      const { name, condition } = RULES[type];
      const given = subjects.filter((one) => one.type === type).map(({ subject }) => subject);
      const isGiven = sameAs(type, given);
      const others = listed(type).filter((one) => !isGiven(one));
      const names = isAllowed ? [...others, ...given] : others;
      if (names.length === 0) return [];
      return [{ name, when: { [condition]: names }, outcome: "allow" }];
    });
    const names: readonly string[] = Object.values(RULES).map(({ name }) => name);
    const others = rules.list().filter(({ name }) => !names.includes(name));
    await rules.replace({ rules: [...own, ...others] });
  };
  // One change at a time, so that none is lost.
  let last: Promise<unknown> = Promise.resolve();
  return {
    has: ({ type, subject }) =>
      (type === "ip" || type === "account") && listed(type).some(sameAs(type, [subject])),
    set(subjects, isAllowed) {
      const changed = last.then(() => change(subjects, isAllowed));
      last = changed.catch(() => {});
      return changed;
    },
  };
}

function sameAs(type: AllowedType, subjects: readonly string[]): (one: string) => boolean {
  const formOf = (text: string): string => (type === "account" ? mailboxOf(text) : text);
  const forms = new Set(subjects.map(formOf));
  return (one) => forms.has(formOf(one));
}
