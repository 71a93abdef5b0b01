import type { OperatorRule, Playbook, RuleConditions } from "@riskgate/api-types";
import { genreText } from "./genre-text.js";
import { kindText } from "./kind-text.js";

type Response = Partial<{
  readonly durationMs: number;
  readonly addresses: boolean;
  readonly accounts: "acting" | "all" | "none";
}>;

/** A playbook as a sentence: `After an event "Shellshock", block the addresses for 1 hour.` */
export function playbookText({ rule, response }: Pick<Playbook, "rule" | "response">): string {
  return `${triggerText(rule)}, ${responseText(response)}.`;
}

/** When a playbook responds. */
function triggerText(rule: Playbook["rule"]): string {
  const { kinds, genres, accountScoreAbove, count = 1, windowMs = 600_000, per = "address" } = rule;
  if (accountScoreAbove !== undefined)
    return `If the score of an account is above ${accountScoreAbove}`;
  if (genres) {
    const events = count === 1 ? "" : ` and it has ${count} events`;
    return `If an incident "${orText(genres.map(genreText))}" is open${events}`;
  }
  const names = orText((kinds ?? []).map(kindText));
  const subject = per === "application" ? "the application" : `the same ${per}`;
  if (count === 1) return `After an event "${names}"`;
  return `After ${count} events "${names}" from ${subject} within ${periodText(windowMs)}`;
}

/** The response of a playbook. */
function responseText(response: Response): string {
  const { durationMs = 3_600_000, addresses = true, accounts = "acting" } = response;
  const named = { acting: "accounts that attack", all: "all accounts involved", none: "" }[
    accounts
  ];
  const targets = [...(addresses ? ["the addresses"] : []), ...(named === "" ? [] : [named])];
  return `block ${targets.length === 0 ? "nothing" : targets.join(" and ")} for ${periodText(durationMs)}`;
}

/** `10 minutes`, `90 seconds`; in the unit that people count in. */
function periodText(ms: number): string {
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
  ] as const;
  const [length, name] = units.find(([length]) => ms >= length && ms % length === 0) ?? [
    1_000,
    "second",
  ];
  const count = ms / length;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** An operator rule in words: `domain is example.com \u2192 allow`. */
export function operatorRuleText({ when, outcome }: OperatorRule): string {
  return `${conditionsText(when)} \u2192 ${outcome}`;
}

/** Conditions in words, all of which hold. */
export function conditionsText(when: RuleConditions): string {
  return Object.entries(when)
    .flatMap(([name, value]) => TEXTS[name as keyof RuleConditions](value as never))
    .join(" and ");
}

type Texts = {
  readonly [Name in keyof Required<RuleConditions>]: (
    value: NonNullable<RuleConditions[Name]>,
  ) => string | readonly string[];
};

const TEXTS: Texts = {
  network: (networks) => `address in ${namesText(networks)}`,
  email: (emails) => `email is ${namesText(emails)}`,
  country: (codes) => `country is ${namesText(codes)}`,
  countryUnknown: (isUnknown) => (isUnknown ? "country is unknown" : "country is known"),
  asn: (numbers) => `network is ${namesText(numbers.map((one) => `AS${one}`))}`,
  asnUnknown: (isUnknown) => (isUnknown ? "network is unknown" : "network is known"),
  domain: (domains) => `domain is ${namesText(domains)}`,
  domainAgeUnknown: (isUnknown) =>
    isUnknown ? "age of the domain is unknown" : "age of the domain is known",
  flags: ({ all = [], any = [], none = [] }) => [
    ...all,
    ...(any.length > 0 ? [namesText(any)] : []),
    ...none.map((flag) => `not ${flag}`),
  ],
  networkKind: (kinds) => `network is of kind ${namesText(kinds)}`,
  scoreAbove: (score) => `score above ${score}`,
  scoreAtMost: (score) => `score at most ${score}`,
  not: (conditions) => `not (${conditionsText(conditions)})`,
};

const MAX_NAMES = 3;

/** `xss or lfi`; long lists are cut. */
function namesText(names: readonly (string | number)[]): string {
  const left = names.length - MAX_NAMES;
  if (left > 0) return `${names.slice(0, MAX_NAMES).join(", ")} or ${left} more`;
  if (names.length <= 1) return names.join("");
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Names of which at least one is chosen before a playbook is saved. */
function orText(names: readonly string[]): string {
  return names.length === 0 ? "..." : namesText(names);
}
