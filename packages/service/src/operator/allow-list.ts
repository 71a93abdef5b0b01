import { createHash } from "node:crypto";
import { mailboxOf, parseCidr } from "@riskgate/core/address";
import type { ServiceRules } from "../lookups/operator-rule-set.js";

/** Networks and accounts that an operator allows by name: no response may block them. */
export interface AllowList {
  /** True if a block of a network or an account would affect one that is allowed. */
  covers(this: void, type: "network" | "account", target: string): boolean;
  /** Changes with the list. */
  version(this: void): string;
}

interface Network {
  readonly words: Uint32Array;
  readonly version: 4 | 6;
  readonly length: number;
}

interface Entries {
  readonly rules: ReturnType<ServiceRules["list"]>;
  readonly networks: readonly Network[];
  readonly mailboxes: ReadonlySet<string>;
  readonly version: string;
}

/**
 * Creates the allow-list: operator rules that allow only by network or only by email, and the
 * addresses that no feed can flag.
 */
export function createAllowList(
  rules: Pick<ServiceRules, "list">,
  addresses: readonly string[],
): AllowList {
  let known: Entries | undefined;
  const entries = (): Entries => {
    const list = rules.list();
    if (known?.rules !== list) known = entriesOf(list, addresses);
    return known;
  };
  return {
    covers(type, target) {
      const { networks, mailboxes } = entries();
      if (type === "account") return mailboxes.has(mailboxOf(target));
      const network = networkIn(target);
      return network !== undefined && networks.some((one) => isOverlapping(one, network));
    },
    version: () => entries().version,
  };
}

function entriesOf(rules: Entries["rules"], addresses: readonly string[]): Entries {
  const named = rules
    .filter(({ outcome, when }) => outcome === "allow" && Object.keys(when).length === 1)
    .map(({ when }) => when);
  const networks = [...addresses, ...named.flatMap(({ network = [] }) => network)];
  const emails = named.flatMap(({ email = [] }) => email);
  const text = JSON.stringify([networks, emails]);
  return {
    rules,
    networks: networks.flatMap((one) => networkIn(one) ?? []),
    mailboxes: new Set(emails.map((email) => mailboxOf(email))),
    version: createHash("sha256").update(text).digest("base64url").slice(0, 8),
  };
}

function networkIn(text: string): Network | undefined {
  const words = new Uint32Array(4);
  const cidr = parseCidr(text, words);
  return cidr && { ...cidr, words };
}

function isOverlapping(one: Network, other: Network): boolean {
  if (one.version !== other.version) return false;
  const length = Math.min(one.length, other.length);
  return one.words.every((word, index) => {
    const bits = Math.min(32, Math.max(0, length - 32 * index));
    return bits === 0 || word >>> (32 - bits) === other.words[index]! >>> (32 - bits);
  });
}
