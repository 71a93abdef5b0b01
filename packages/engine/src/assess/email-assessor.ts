import { type EmailAssessment, RiskGateError } from "@riskgate/core";
import { emailProblem, foldEmail, hostsIn } from "@riskgate/core/address";
import { isForwardingDomain } from "@riskgate/core/internal";
import type { LoadedFeed } from "../feeds/feed-age.js";
import type { DisposableDomains } from "../feeds/disposable-domains.js";
import { type EmailForm, formOf } from "../identifier/email-form.js";
import { type Harm, harmOf } from "../identifier/email-harm.js";
import { explain, type Explanation, type Origin } from "./explanation.js";
import { findHistory, originOfHistory } from "./history-signal.js";
import { type History, type LedgerReader, NO_HISTORY, readHistory } from "../ledger/ledger.js";
import { isOrdinaryEmail } from "../identifier/ordinary-email.js";
import { type Finding, scoreOf, type SignalName } from "./score.js";
import type { Weights } from "./weights.js";
import type { MailState } from "../mail/mail-state.js";

export interface EmailAssessor {
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED */
  assess(email: string, ledger: LedgerReader | undefined): EmailAssessment;
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED */
  explain(email: string, ledger: LedgerReader | undefined): Explanation<EmailAssessment>;
}

export interface EmailKnowledge {
  readonly domains: DisposableDomains;
  /** Loaded domain feeds. */
  readonly loaded: readonly LoadedFeed[];
  readonly weights: Weights;
  /** DNS result for a domain; undefined if DNS was not queried. */
  readonly mailStateOf: (domain: string) => MailState | undefined;
  /** When the lists were loaded, in Unix time in milliseconds. */
  readonly loadedAtMs: number;
}

export function createEmailAssessor(knowledge: EmailKnowledge): EmailAssessor {
  const { domains, loaded, weights, mailStateOf, loadedAtMs } = knowledge;
  const factsOf = (email: string, ledger: LedgerReader | undefined): Facts => {
    const isOrdinary = isOrdinaryEmail(email);
    const problem = isOrdinary ? undefined : emailProblem(email);
    if (problem !== undefined) throw new RiskGateError("INVALID_ARGUMENT", problem);
    const account = isOrdinary ? email : foldEmail(email);
    const history = ledger ? readHistory(() => ledger.emailHistory(account)) : NO_HISTORY;
    const hosts = hostsIn(email);
    const list = domains.listOf(hosts);
    const form = isOrdinary ? "plain" : formOf(email);
    const harm = isOrdinary ? undefined : harmOf(email);
    const isForwarding = hosts.some(isForwardingDomain);
    const mail = hosts.length > 0 ? mailStateOf(hosts[0]!) : undefined;
    const findings: Finding[] = [];
    findHistory(history, weights, findings);
    if (list !== undefined) findings.push({ name: "disposable", weight: weights.disposable });
    if (harm !== undefined) findings.push({ name: "harmful", weight: weights.harmful });
    if (form !== "plain") findings.push({ name: form, weight: weights[form] });
    if (mail === "no_record" || mail === "null_mx") {
      findings.push({ name: "no_mail", weight: weights.no_mail });
    }
    return { email, history, list, isForwarding, harm, form, mail, findings };
  };

  return {
    assess: (email, ledger) => assess(factsOf(email, ledger)),
    explain(email, ledger) {
      const facts = factsOf(email, ledger);
      return explain(assess(facts), {
        findings: facts.findings,
        originOf: (name) =>
          name === "disposable" ? { source: facts.list!, loadedAtMs } : originOf(facts, name),
        feeds: loaded,
        isListed: ({ name }) => name === facts.list,
        history: facts.history,
      });
    },
  };
}

interface Facts {
  readonly email: string;
  readonly history: History;
  readonly list: string | undefined;
  readonly isForwarding: boolean;
  readonly harm: Harm | undefined;
  readonly form: EmailForm;
  readonly mail: MailState | undefined;
  readonly findings: readonly Finding[];
}

function assess(facts: Facts): EmailAssessment {
  const { email, history, list, isForwarding, harm, form, mail, findings } = facts;
  const assessment: EmailAssessment = {
    email,
    risk_score: scoreOf(findings),
    is_known_attacker: history.is_known_attacker,
    high_risk_security_events_count: history.high_risk_security_events_count,
    security_events_count: history.security_events_count,
    is_disposable: list !== undefined,
    is_email_malformed: form === "malformed",
    is_email_harmful: harm !== undefined,
    ...(isForwarding && { is_forwarding: true }),
  };
  if (mail === undefined || mail === "unknown") return assessment;
  return { ...assessment, is_undeliverable: mail !== "mail" };
}

function originOf({ history, harm, mail }: Facts, name: SignalName): Origin {
  if (name === "malformed" || name === "unusual") return { source: "RFC 5322" };
  if (name === "harmful") return { source: "engine", detail: harm! };
  if (name === "no_mail") {
    const detail = mail === "null_mx" ? "null MX (RFC 7505)" : "no MX, A or AAAA record";
    return { source: "DNS", detail };
  }
  return originOfHistory(history);
}
