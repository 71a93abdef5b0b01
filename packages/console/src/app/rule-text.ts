import type { OperatorRule, Playbook, RuleConditions } from "@riskgate/api-types";

type Response = Partial<{
  readonly durationMs: number;
  readonly addresses: boolean;
  readonly accounts: "acting" | "all" | "none";
}>;

/** A playbook in words: `3 \u00d7 auth_bruteforce in 10 min by address \u2192 block for 60 min`. */
export function playbookText({ rule, response }: Pick<Playbook, "rule" | "response">): string {
  return `${triggerText(rule)} \u2192 ${responseText(response)}`;
}

/** When a playbook responds. */
function triggerText(rule: Playbook["rule"]): string {
  const { kinds, genres, accountScoreAbove, count = 1, windowMs = 600_000, per = "address" } = rule;
  if (accountScoreAbove !== undefined) return `score of an account above ${accountScoreAbove}`;
  const times = count === 1 ? "" : `${count} \u00d7 `;
  if (genres) {
    const events = count === 1 ? "" : ` with ${count} events`;
    return `incident ${namesText(genres)}${events}`;
  }
  const within = count === 1 ? "" : ` in ${minutesText(windowMs)} by ${per}`;
  return `${times}${namesText(kinds ?? [])}${within}`;
}

/** The response of a playbook. */
function responseText(response: Response): string {
  const { durationMs = 3_600_000, addresses = true, accounts = "acting" } = response;
  const period = `for ${minutesText(durationMs)}`;
  if (accounts === "none") return `block addresses ${period}`;
  const named = accounts === "all" ? "all accounts" : "accounts that attack";
  if (!addresses) return `block ${named} ${period}`;
  return accounts === "all" ? `block addresses and all accounts ${period}` : `block ${period}`;
}

/** `10 min`, `90 s`; in the unit that people count in. */
function minutesText(ms: number): string {
  if (ms % 86_400_000 === 0 && ms > 86_400_000) return `${ms / 86_400_000} days`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return `${ms / 1_000} s`;
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
