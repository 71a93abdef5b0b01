import { domainOf } from "../address/email-address.js";
import { normalizeDomain } from "../address/domain-name.js";
import { mailboxesIn } from "../address/mailbox.js";
import type { EmailAssessment, IpAssessment } from "../model/assessment.js";
import { normalizePath } from "./rule-path.js";

/** Facts that rules are evaluated on. */
export interface RuleFacts {
  /** Missing without an assessment. */
  readonly ip?: IpAssessment | undefined;
  readonly email?: EmailAssessment | undefined;
  /** The email address itself, known even without an assessment. */
  readonly address?: string | undefined;
  /** Highest score; null if nothing was scored. */
  readonly score: number | null;
  /** Path of the request, with or without its query. */
  readonly path?: string | undefined;
}

/** Matches nearly every address: all programs read the text after the @ as its domain. */
const ONE_READING = /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@([A-Za-z0-9.-]+)$/;

/** Facts with normal forms shared by several rules, computed once on demand. */
export class RuleSubject {
  readonly facts: RuleFacts;
  #domains: readonly string[] | undefined;
  #path: string | undefined;

  constructor(facts: RuleFacts) {
    this.facts = facts;
  }

  /** Domains of the mailboxes that the email may name; nearly always one, and none without an email. */
  get domains(): readonly string[] {
    return (this.#domains ??= domainsOf(this.facts.address));
  }

  /** The path in its normal form, or undefined. */
  get path(): string | undefined {
    const { path } = this.facts;
    return (this.#path ??= path ? normalizePath(path) : undefined);
  }
}

/** Longest address that a lookup accepts; longer texts are not parsed. */
const MAX_LENGTH = 320;

function domainsOf(address: string | undefined): readonly string[] {
  if (!address || address.length > MAX_LENGTH) return [];
  const [, written] = ONE_READING.exec(address) ?? [];
  const domain = written && normalizeDomain(written);
  if (domain) return [domain];
  const domains = mailboxesIn(address, false).map(domainOf);
  return [...new Set(domains)].filter((one) => one !== "");
}
