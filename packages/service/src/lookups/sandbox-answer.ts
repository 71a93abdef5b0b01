import { type EmailAssessment, type IpAssessment } from "@riskgate/core";
import { hostsIn, normalizeIp } from "@riskgate/core/address";

/** Faults that replace a response, named as in the fake service of `@riskgate/testing`. */
export const SANDBOX_FAULTS = [
  "unauthorized",
  "rate_limited",
  "server_error",
  "redirect",
  "broken_json",
  "slow_headers",
  "slow_body",
  "reset",
] as const;

export type SandboxFault = (typeof SANDBOX_FAULTS)[number];

/** The sandbox's response to a magic input. */
export type Magic =
  | { readonly assessment: MagicAssessment }
  /** The assessment is in the part of the response that is sent before the fault. */
  | { readonly fault: SandboxFault; readonly assessment?: MagicAssessment };

type MagicAssessment = Readonly<Partial<IpAssessment & EmailAssessment>>;

export interface MagicInput {
  /** Last number of an address in a documentation range. */
  readonly host?: number;
  /** Local part of an address at `example.com`, `example.org` or `example.net`. */
  readonly mailbox?: string;
  readonly answer: Magic;
}

const PARIS = { latitude: 48.85, longitude: 2.35, country_code: "FRA", city: "Paris" };

/**
 * All named magic inputs. In addition, the hosts 0 to 100 and the mailboxes `score-0` to `score-100`
 * return the score in their name. `docs/sandbox.md` shows this table.
 */
export const MAGIC_INPUTS: readonly MagicInput[] = [
  { host: 101, answer: { assessment: { risk_score: 80.5 } } },
  { host: 102, answer: { assessment: { risk_score: 60, is_tor: true } } },
  { host: 103, answer: { assessment: { risk_score: 45, is_vpn: true } } },
  { host: 104, answer: { assessment: { risk_score: 50, is_proxy: true } } },
  { host: 105, answer: { assessment: { risk_score: 5, is_datacenter: true } } },
  {
    host: 106,
    answer: {
      assessment: {
        risk_score: 85,
        is_known_attacker: true,
        security_events_count: 2,
        high_risk_security_events_count: 1,
        is_datacenter: true,
      },
    },
  },
  { host: 107, answer: { assessment: { risk_score: 20, security_events_count: 10 } } },
  { host: 108, answer: { assessment: { risk_score: 0, is_private: true } } },
  { host: 109, answer: { assessment: { risk_score: 0, ip_geo: PARIS } } },
  { host: 110, answer: { assessment: { risk_score: 0, ip_geo: { country_code: "FRA" } } } },
  { mailbox: "disposable", answer: { assessment: { risk_score: 50, is_disposable: true } } },
  { mailbox: "malformed", answer: { assessment: { risk_score: 60, is_email_malformed: true } } },
  { mailbox: "harmful", answer: { assessment: { risk_score: 100, is_email_harmful: true } } },
  {
    mailbox: "attacker",
    answer: {
      assessment: {
        risk_score: 80,
        is_known_attacker: true,
        high_risk_security_events_count: 3,
        security_events_count: 15,
      },
    },
  },
  { mailbox: "events", answer: { assessment: { risk_score: 20, security_events_count: 10 } } },
  ...SANDBOX_FAULTS.map((fault, at) => ({ host: 201 + at, mailbox: fault, answer: { fault } })),
];

const MAX_SCORE = 100;

const BY_HOST = new Map(MAGIC_INPUTS.map(({ host, answer }) => [host, answer]));
const BY_MAILBOX = new Map(MAGIC_INPUTS.map(({ mailbox, answer }) => [mailbox, answer]));

/** Matches addresses in the documentation networks of RFC 5737 and RFC 3849, in normal form. */
const DOCUMENTATION_IP = /^(?:(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|2001:db8:(?:.*:)?)([0-9]+)$/;

/** The domains that RFC 2606 reserves for examples. */
const EXAMPLE_DOMAINS = ["example.com", "example.org", "example.net"];

const SCORE_MAILBOX = /^score-([0-9]{1,3}(?:\.[0-9]{1,6})?)$/;

/**
 * Returns the sandbox's response to an identifier: members that replace those of the assessment, or a
 * fault. Undefined for any other identifier, which gets an ordinary response.
 */
export function sandboxAnswer(type: "ip" | "email", identifier: string): Magic | undefined {
  return type === "ip" ? ipAnswer(identifier) : emailAnswer(identifier);
}

function ipAnswer(ip: string): Magic | undefined {
  // The last group of an IPv6 address is read as a decimal: 2001:db8::81 is host 81.
  const digits = DOCUMENTATION_IP.exec(normalizeIp(ip) ?? "")?.[1];
  if (digits === undefined) return undefined;
  const host = Number(digits);
  const answer = host <= MAX_SCORE ? { assessment: { risk_score: host } } : BY_HOST.get(host);
  // Documentation addresses are private, and a gate ignores the scores of private addresses.
  return answer && { ...answer, assessment: { is_private: false, ...answer.assessment } };
}

function emailAnswer(email: string): Magic | undefined {
  if (!EXAMPLE_DOMAINS.includes(hostsIn(email)[0] ?? "")) return undefined;
  const mailbox = email.slice(0, email.lastIndexOf("@"));
  const score = Number(SCORE_MAILBOX.exec(mailbox)?.[1] ?? NaN);
  return score <= MAX_SCORE ? { assessment: { risk_score: score } } : BY_MAILBOX.get(mailbox);
}
