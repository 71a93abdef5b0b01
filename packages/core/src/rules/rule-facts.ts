import { hostsIn, mailboxesIn } from "../address/mailbox.js";
import type { EmailAssessment, IpAssessment } from "../model/assessment.js";
import type { DeviceStanding } from "../model/devices.js";
import { normalizePath } from "./rule-path.js";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface RuleFacts {
  /** Missing without an assessment. */
  readonly ip?: IpAssessment | undefined;
  readonly email?: EmailAssessment | undefined;
  /** The IP address itself; known to the service only. */
  readonly clientIp?: string | undefined;
  /** The email address itself, known even without an assessment. */
  readonly address?: string | undefined;
  /** Known to a gate with `device` only. */
  readonly device?: DeviceStanding | undefined;
  /** Headers by name in lower case; known to a gate in a route only. */
  readonly headers?: Headers | undefined;
  /** Velocity subjects over their limit; known to a gate only. */
  readonly velocity?: readonly string[] | undefined;
  /** Highest score; null if nothing was scored. */
  readonly score: number | null;
  readonly path?: string | undefined;
}

/** Facts with normal forms shared by several rules, computed once on demand. */
export class RuleSubject {
  readonly facts: RuleFacts;
  #hosts: readonly string[] | undefined;
  #mailboxes: readonly string[] | undefined;
  #path: string | undefined;

  constructor(facts: RuleFacts) {
    this.facts = facts;
  }

  /** Hosts of the mailboxes that the email may name; nearly always one, and none without an email. */
  get hosts(): readonly string[] {
    return (this.#hosts ??= hostsIn(this.facts.address ?? ""));
  }

  /** The mailboxes that the email may name; none without an email. */
  get mailboxes(): readonly string[] {
    const { address } = this.facts;
    return (this.#mailboxes ??= address === undefined ? [] : mailboxesIn(address));
  }

  get path(): string | undefined {
    const { path } = this.facts;
    return (this.#path ??= path ? normalizePath(path) : undefined);
  }
}
