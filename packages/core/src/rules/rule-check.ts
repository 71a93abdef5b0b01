import { createIpTable } from "../address/ip-table.js";
import { isOverlong, mailboxesIn, normalizeHost } from "../address/mailbox.js";
import { DEVICE_STANDINGS } from "../model/devices.js";
import { isVelocityName } from "../model/velocity-reading.js";
import { NETWORK_KINDS } from "./network-kind.js";
import { CONDITION_NAMES, spellingsOfCountry } from "./rule-conditions.js";
import { PATH_PATTERN } from "./rule-path.js";
import type { RuleProblem } from "./rule-problem.js";
import { type FlagConditions, type OperatorRule, RULE_FLAGS, type RuleConditions } from "./rule.js";
import type { RuleVocabulary } from "./rule-vocabulary.js";
import { MAX_PATTERN } from "./text-pattern.js";
import { ValueCheck } from "./value-check.js";

export interface CheckedRules<Outcome extends string> {
  /** Copied and frozen; empty if any problem was found. */
  readonly rules: readonly OperatorRule<Outcome>[];
  readonly problems: readonly RuleProblem[];
}

const MAX_RULES = 1_000;
const MAX_ITEMS = 10_000;
const MAX_NAME = 100;
const MAX_NOTE = 1_000;
const HEADER = /^[\w-]{1,100}$/;
const MAX_ASN = 2 ** 32 - 1;

/** Maximum nesting of `not`; deeper rules are unreadable. */
const MAX_DEPTH = 4;

/** Checks an untrusted `{ "rules": [...] }` value and finds every problem. */
export function checkRules<Outcome extends string>(
  value: unknown,
  vocabulary: RuleVocabulary<Outcome>,
): CheckedRules<Outcome> {
  const check = new ValueCheck();
  const top = check.members(value, "", ["rules", "$schema"]);
  const listed = top && check.list(top["rules"], "/rules", { min: 0, max: MAX_RULES });
  const places = new Map<unknown, string>();
  // Not `map`, which skips holes in sparse arrays.
  const rules = Array.from(listed ?? [], (rule, index) => {
    const read = readRule(check, rule, `/rules/${index}`, vocabulary);
    const earlier = places.get(read.name);
    if (earlier)
      check.report(`/rules/${index}/name`, `a unique name, given the name of ${earlier}`);
    else if (read.name !== undefined) places.set(read.name, `/rules/${index}`);
    return read;
  });
  const { problems } = check;
  // If any rule is invalid, none is used.
  return problems.length > 0
    ? { rules: [], problems }
    : { rules: Object.freeze(rules as OperatorRule<Outcome>[]), problems };
}

function readRule<Outcome extends string>(
  check: ValueCheck,
  value: unknown,
  at: string,
  { outcomes, without = {} }: RuleVocabulary<Outcome>,
): Partial<OperatorRule<Outcome>> {
  const members = check.members(value, at, ["name", "when", "outcome", "note"]);
  if (!members) return {};
  const name = check.text(members["name"], `${at}/name`, MAX_NAME);
  const when = readConditions(check, members["when"], `${at}/when`, without, 0);
  const outcome = check.word(members["outcome"], `${at}/outcome`, outcomes);
  const { note: given } = members;
  const note = given === undefined ? undefined : check.text(given, `${at}/note`, MAX_NOTE);
  return Object.freeze({
    ...(name !== undefined && { name }),
    ...(when !== undefined && { when }),
    ...(outcome !== undefined && { outcome }),
    ...(note !== undefined && { note }),
  });
}

type ReadCondition = (check: ValueCheck, value: unknown, at: string) => unknown;

const readFlag: ReadCondition = (check, value, at) => check.boolean(value, at);
const readScore: ReadCondition = (check, value, at) => check.number(value, at, 0, 100);
const readFlagNames: ReadCondition = (check, value, at) =>
  check.items(value, at, MAX_ITEMS, (item, place) => check.word(item, place, RULE_FLAGS));

const readPatterns = (check: ValueCheck, value: unknown, at: string) =>
  check.items(value, at, MAX_ITEMS, (item, place) => check.text(item, place, MAX_PATTERN));

/** Every condition except `not`, which contains others. */
const READERS: Readonly<Record<Exclude<keyof RuleConditions, "not">, ReadCondition>> = {
  network: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => {
      const isNetwork = typeof item === "string" && createIpTable([[item, 1]]).size === 1;
      return isNetwork ? item : check.expected(place, 'a network such as "192.0.2.0/24"', item);
    }),
  email: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => {
      const isOne = typeof item === "string" && item.trim() !== "" && !isOverlong(item);
      return isOne && mailboxesIn(item).length === 1
        ? item
        : check.expected(place, 'one email such as "ada@example.com"', item);
    }),
  country: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => {
      const isCode = typeof item === "string" && spellingsOfCountry(item).length > 0;
      return isCode ? item : check.expected(place, 'a country code such as "DE" or "DEU"', item);
    }),
  countryUnknown: readFlag,
  asn: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => check.whole(item, place, 1, MAX_ASN)),
  asnUnknown: readFlag,
  domain: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => {
      const domain = typeof item === "string" ? normalizeHost(item) : undefined;
      return domain ?? check.expected(place, 'a domain such as "example.com"', item);
    }),
  domainAgeUnknown: readFlag,
  flags(check, value, at) {
    const names = ["all", "any", "none"] as const;
    const members = check.members(value, at, names, 1);
    const flags = names
      .filter((name) => members?.[name] !== undefined)
      .map((name) => [name, readFlagNames(check, members?.[name], `${at}/${name}`)]);
    return Object.freeze(Object.fromEntries(flags) as FlagConditions);
  },
  device: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => check.word(item, place, DEVICE_STANDINGS)),
  header(check, value, at) {
    const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const members = check.members(value, at, names, 1);
    const headers = Object.entries(members ?? {}).map(([name, wanted]) => {
      const place = `${at}/${name}`;
      if (!HEADER.test(name)) check.expected(place, 'a header such as "accept-language"', name);
      const isFlag = typeof wanted === "boolean";
      return [name, isFlag ? wanted : readPatterns(check, wanted, place)];
    });
    return Object.freeze(Object.fromEntries(headers) as Record<string, unknown>);
  },
  userAgent: readPatterns,
  velocity: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) =>
      isVelocityName(item)
        ? item
        : check.expected(place, 'a velocity subject such as "mailbox" or "by.card"', item),
    ),
  networkKind: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) => check.word(item, place, NETWORK_KINDS)),
  scoreAbove: readScore,
  scoreAtMost: readScore,
  path: (check, value, at) =>
    check.items(value, at, MAX_ITEMS, (item, place) =>
      typeof item === "string" && PATH_PATTERN.test(item)
        ? item
        : check.expected(place, 'a path such as "/signup", or "/api/*" for everything below', item),
    ),
};

function readConditions(
  check: ValueCheck,
  value: unknown,
  at: string,
  without: Readonly<Partial<Record<string, string>>>,
  depth: number,
): RuleConditions | undefined {
  const members = check.members(value, at, CONDITION_NAMES, 1);
  if (!members) return undefined;
  if (depth > MAX_DEPTH) return check.report(at, `at most ${MAX_DEPTH} nested \`not\``);
  const given = CONDITION_NAMES.filter((name) => members[name] !== undefined);
  const conditions = given.map((name) => {
    const place = `${at}/${name}`;
    const reason = without[name];
    if (reason !== undefined) check.report(place, reason);
    if (name === "not")
      return [name, readConditions(check, members[name], place, without, depth + 1)];
    return [name, READERS[name](check, members[name], place)];
  });
  const { scoreAbove, scoreAtMost } = members;
  if (typeof scoreAbove === "number" && typeof scoreAtMost === "number") {
    if (scoreAbove >= scoreAtMost) {
      check.expected(
        `${at}/scoreAtMost`,
        "more than `scoreAbove` (otherwise no score can match)",
        scoreAtMost,
      );
    }
  }
  return Object.freeze(Object.fromEntries(conditions) as RuleConditions);
}
