import type { OperatorRule, RuleConditions } from "@riskgate/api-types";

/** Conditions that one row of the editor can hold, each with its title and the form of its value. */
export const ROW_CONDITIONS = {
  network: { title: "Address or network is", form: "texts" },
  email: { title: "Email is", form: "texts" },
  domain: { title: "Domain is", form: "texts" },
  country: { title: "Country is", form: "texts" },
  countryUnknown: { title: "Country is unknown", form: "truth" },
  asn: { title: "Autonomous system is", form: "numbers" },
  asnUnknown: { title: "Autonomous system is unknown", form: "truth" },
  domainAgeUnknown: { title: "Age of the domain is unknown", form: "truth" },
  allFlags: { title: "All of these flags", form: "texts" },
  anyFlag: { title: "Any of these flags", form: "texts" },
  noFlag: { title: "None of these flags", form: "texts" },
  networkKind: { title: "Kind of network is", form: "texts" },
  scoreAbove: { title: "Score is above", form: "number" },
  scoreAtMost: { title: "Score is at most", form: "number" },
} as const;

export type RowCondition = keyof typeof ROW_CONDITIONS;

/** One row: the value as text, with commas between several. */
export interface ConditionRow {
  readonly condition: RowCondition;
  readonly value: string;
  /** The condition is one of those that must not hold together. */
  readonly isNot: boolean;
}

export interface RuleDraft {
  readonly name: string;
  readonly outcome: OperatorRule["outcome"];
  readonly note: string;
  readonly rows: readonly ConditionRow[];
}

export const NEW_RULE: RuleDraft = {
  name: "",
  outcome: "flag",
  note: "",
  rows: [{ condition: "domain", value: "", isNot: false }],
};

const FLAG_ROWS = { allFlags: "all", anyFlag: "any", noFlag: "none" } as const;

/** Returns a rule as rows; undefined for one with conditions in several levels, which rows cannot show. */
export function draftOfRule(rule: OperatorRule): RuleDraft | undefined {
  const { name, outcome, note = "", when } = rule;
  const { not, ...positive } = when;
  if (not?.not) return undefined;
  return {
    name,
    outcome,
    note,
    rows: [...rowsOf(positive, false), ...rowsOf(not ?? {}, true)],
  };
}

export function ruleOfDraft({ name, outcome, note, rows }: RuleDraft): OperatorRule {
  const not = conditionsOf(rows.filter(({ isNot }) => isNot));
  const when = {
    ...conditionsOf(rows.filter(({ isNot }) => !isNot)),
    ...(Object.keys(not).length > 0 && { not }),
  };
  return { name: name.trim(), when, outcome, ...(note.trim() !== "" && { note: note.trim() }) };
}

function rowsOf(when: RuleConditions, isNot: boolean): readonly ConditionRow[] {
  return Object.entries(when).flatMap(([name, value]): readonly ConditionRow[] => {
    if (name !== "flags") {
      return [{ condition: name as RowCondition, value: textOf(value), isNot }];
    }
    const flags = value as NonNullable<RuleConditions["flags"]>;
    return (Object.keys(FLAG_ROWS) as (keyof typeof FLAG_ROWS)[]).flatMap((condition) => {
      const names = flags[FLAG_ROWS[condition]];
      return names ? [{ condition, value: textOf(names), isNot }] : [];
    });
  });
}

/** Several rows with the same condition are one list. */
function conditionsOf(rows: readonly ConditionRow[]): RuleConditions {
  const when: Record<string, unknown> = {};
  const flags: Record<string, unknown> = {};
  for (const { condition, value } of rows) {
    const read = valueOf(condition, value);
    if (condition in FLAG_ROWS) {
      const member = FLAG_ROWS[condition as keyof typeof FLAG_ROWS];
      flags[member] = merged(flags[member], read);
    } else {
      when[condition] = merged(when[condition], read);
    }
  }
  return { ...when, ...(Object.keys(flags).length > 0 && { flags }) };
}

function merged(before: unknown, value: unknown): unknown {
  return Array.isArray(before) && Array.isArray(value)
    ? [...(before as unknown[]), ...(value as unknown[])]
    : value;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Reads the text of a row. What cannot be read stays text, so that the service names the mistake. */
function valueOf(condition: RowCondition, text: string): unknown {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const number = (part: string): number | string =>
    part !== "" && Number.isFinite(Number(part)) ? Number(part) : part;
  const { form } = ROW_CONDITIONS[condition];
  if (form === "texts") return parts;
  if (form === "numbers") return parts.map(number);
  return form === "number" ? number(text.trim()) : text !== "false";
}

/** The rules in a text; undefined for a text that the rows cannot show. */
export function rulesIn(text: string): readonly OperatorRule[] | undefined {
  try {
    const { rules } = JSON.parse(text) as { readonly rules?: unknown };
    return Array.isArray(rules) && rules.every(isRule) ? rules : undefined;
  } catch {
    return undefined;
  }
}

function isRule(value: unknown): value is OperatorRule {
  const { name, when, outcome } = (value ?? {}) as Partial<Record<keyof OperatorRule, unknown>>;
  return typeof name === "string" && typeof outcome === "string" && isConditions(when);
}

function isConditions(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(([name, one]) => {
      if (name === "not") return isConditions(one);
      if (name === "flags") return typeof one === "object" && one !== null;
      return isRowCondition(name, one);
    })
  );
}

/** Whether a row can show a condition; whether the service accepts it is another question. */
function isRowCondition(name: string, value: unknown): boolean {
  if (!Object.hasOwn(ROW_CONDITIONS, name)) return false;
  const { form } = ROW_CONDITIONS[name as RowCondition];
  return form === "texts" || form === "numbers" ? Array.isArray(value) : typeof value !== "object";
}
