import { domainOf } from "../address/email-address.js";
import { normalizeDomain } from "../address/domain-name.js";
import { mailboxesIn } from "../address/mailbox.js";
import type { EmailAssessment, IpAssessment } from "../model/assessment.js";
import { normalizePath } from "./rule-path.js";

/** What rules are evaluated on. */
export interface RuleFacts {
  /** Absent without an assessment. */
  readonly ip?: IpAssessment | undefined;
  readonly email?: EmailAssessment | undefined;
  /** The email address itself, which is known without an assessment. */
  readonly address?: string | undefined;
  /** Highest score; null without one. */
  readonly score: number | null;
  /** Path of the request, with or without its query. */
  readonly path?: string | undefined;
}

/** Nearly every address: its domain is what follows the @, whoever reads it. */
const ONE_READING = /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@([A-Za-z0-9.-]+)$/;

/** Facts with values that several rules compare, computed once and only if a rule needs them. */
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

/** Longest address, as a lookup takes it: of a longer text it is not worth reading more. */
const MAX_LENGTH = 320;

function domainsOf(address: string | undefined): readonly string[] {
  if (!address || address.length > MAX_LENGTH) return [];
  const [, written] = ONE_READING.exec(address) ?? [];
  const domain = written && normalizeDomain(written);
  if (domain) return [domain];
  const domains = mailboxesIn(address, false).map(domainOf);
  return [...new Set(domains)].filter((one) => one !== "");
}
