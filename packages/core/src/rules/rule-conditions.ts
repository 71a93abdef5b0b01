import { COUNTRY_CODES } from "../address/country-codes.js";
import { createIpTable } from "../address/ip-table.js";
import { isWithin, mailboxOf, normalizeHost } from "../address/mailbox.js";
import { flagIn, wireFlagOf } from "../model/flags.js";
import type { FlagConditions, RuleConditions, RuleFlag } from "./rule.js";
import type { RuleSubject } from "./rule-facts.js";
import { isOfKind } from "./network-kind.js";
import { pathMatcher } from "./rule-path.js";
import { textMatcher } from "./text-pattern.js";

/** Whether a condition holds; undefined if its fact is unknown. */
type Truth = boolean | undefined;

export type Condition = (subject: RuleSubject) => Truth;

type Name = keyof RuleConditions;

/** ISO assigns Kosovo no codes; these are customary. */
const PAIRS: readonly (readonly string[])[] = [...Object.entries(COUNTRY_CODES), ["XK", "XKX"]];

const COMPILERS: {
  readonly [N in Name]-?: (value: NonNullable<RuleConditions[N]>) => Condition;
} = {
  network(networks) {
    const wanted = createIpTable(networks.map((one) => [one, 1] as const));
    return ({ facts: { clientIp } }) => {
      const marks = clientIp === undefined ? -1 : wanted.marksOf(clientIp);
      return marks < 0 ? undefined : marks > 0;
    };
  },
  email(names) {
    const wanted = new Set(names.map((name) => mailboxOf(name)));
    return ({ mailboxes }) => agreed(mailboxes, (mailbox) => wanted.has(mailbox));
  },
  country(codes) {
    const wanted = new Set(codes.flatMap(spellingsOfCountry));
    return ({ facts }) => {
      const code = countryOf(facts.ip);
      return code === undefined ? undefined : wanted.has(code);
    };
  },
  countryUnknown:
    (wanted) =>
    ({ facts: { ip } }) =>
      ip && (countryOf(ip) === undefined) === wanted,
  asn(numbers) {
    const wanted = new Set(numbers);
    return ({ facts }) => {
      const asn = facts.ip?.asn;
      return typeof asn === "number" ? wanted.has(asn) : undefined;
    };
  },
  asnUnknown:
    (wanted) =>
    ({ facts: { ip } }) =>
      ip && (typeof ip.asn !== "number") === wanted,
  domain(names) {
    const wanted = new Set(names.map((name) => normalizeHost(name)!));
    return ({ hosts }) => agreed(hosts, (host) => isWithin(host, wanted));
  },
  domainAgeUnknown:
    (wanted) =>
    ({ facts: { email } }) =>
      email && (typeof email.domain_age_days !== "number") === wanted,
  flags: compileFlags,
  device(standings) {
    const wanted = new Set(standings);
    return ({ facts: { device } }) => device && wanted.has(device);
  },
  header(wanted) {
    const each = Object.entries(wanted).map(([name, values]) => headerCondition(name, values));
    return allOf(each);
  },
  userAgent: (patterns) => headerCondition("user-agent", patterns),
  velocity(subjects) {
    const wanted: ReadonlySet<string> = new Set(subjects);
    return ({ facts: { velocity } }) => velocity?.some((name) => wanted.has(name));
  },
  networkKind:
    (kinds) =>
    ({ facts: { ip } }) => {
      const truths = kinds.map((kind) => isOfKind(ip, kind));
      return truths.includes(true) || (truths.includes(undefined) ? undefined : false);
    },
  scoreAbove:
    (bound) =>
    ({ facts: { score } }) =>
      score === null ? undefined : score > bound,
  scoreAtMost:
    (bound) =>
    ({ facts: { score } }) =>
      score === null ? undefined : score <= bound,
  path(patterns) {
    const matches = pathMatcher(patterns);
    return ({ path }) => (path === undefined ? undefined : matches(path));
  },
  not(conditions) {
    const holds = compileConditions(conditions);
    return (subject) => {
      const truth = holds(subject);
      return truth === undefined ? undefined : !truth;
    };
  },
};

/**
 * Whether a fact holds for the readings of an email. If programs parse an address differently, it is
 * known only if they agree on it.
 */
function agreed(readings: readonly string[], holds: (reading: string) => boolean): Truth {
  const count = readings.filter(holds).length;
  if (readings.length === 0 || (count > 0 && count < readings.length)) return undefined;
  return count > 0;
}

export const CONDITION_NAMES: readonly Name[] = Object.keys(COMPILERS) as Name[];

/** Compiles validated conditions into one, which holds if all of them do. */
export function compileConditions(conditions: RuleConditions): Condition {
  return allOf(
    CONDITION_NAMES.filter((name) => conditions[name] !== undefined).map((name) => {
      const compile = COMPILERS[name] as (value: unknown) => Condition;
      return compile(conditions[name]);
    }),
  );
}

/** If one condition does not hold, unknown ones have no effect. */
function allOf(conditions: readonly Condition[]): Condition {
  return (subject) => {
    let truth: Truth = true;
    for (const condition of conditions) {
      const one = condition(subject);
      if (one === false) return false;
      if (one === undefined) truth = undefined;
    }
    return truth;
  };
}

function compileFlags({ all = [], any = [], none = [] }: FlagConditions): Condition {
  const isSet = (flag: RuleFlag): Condition => flagCondition(flag);
  const isClear = (flag: RuleFlag): Condition => negated(flagCondition(flag));
  return allOf([
    ...all.map(isSet),
    ...none.map(isClear),
    // Any of several holds if not all of them fail.
    ...(any.length > 0 ? [negated(allOf(any.map(isClear)))] : []),
  ]);
}

/** If the header is absent, its patterns do not hold. */
function headerCondition(name: string, wanted: boolean | readonly string[]): Condition {
  const key = name.toLowerCase();
  const matches = typeof wanted === "boolean" ? undefined : textMatcher(wanted);
  return ({ facts: { headers } }) => {
    if (!headers) return undefined;
    const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (!matches) return (value !== undefined) === wanted;
    return value !== undefined && matches(typeof value === "string" ? value : value.join(", "));
  };
}

function flagCondition(flag: RuleFlag): Condition {
  const wireFlag = wireFlagOf(flag);
  return ({ facts }) => flagIn(facts, wireFlag);
}

function negated(condition: Condition): Condition {
  return (subject) => {
    const truth = condition(subject);
    return truth === undefined ? undefined : !truth;
  };
}

export function spellingsOfCountry(code: string): readonly string[] {
  return PAIRS.find((pair) => pair.includes(code)) ?? [];
}

/** Returns the country in an assessment, which may come from application code. */
function countryOf(ip: RuleSubject["facts"]["ip"]): string | undefined {
  const code: unknown = ip?.ip_geo?.country_code;
  return typeof code === "string" && code !== "" ? code : undefined;
}
