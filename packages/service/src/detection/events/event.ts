import { type AccountKey, type EventIp, formatTimestamp } from "@riskgate/core/payloads";
import type { EventFacts, IntakeEvent } from "../../model/event.js";
import { foldEmail, mailboxOf } from "@riskgate/core/address";
import type { Application } from "../../model/application.js";
import type { Located } from "../../model/place.js";
import { randomId } from "../../model/random-id.js";
import { describeEvent, factsOfKind } from "../../model/event-kind.js";

export interface EventContext {
  readonly application: Pick<Application, "id" | "name" | "environment">;
  /** Base of the dashboard URLs, without a trailing slash. */
  readonly dashboardUrl: string;
  /** True to count all spellings that a provider delivers to the same mailbox as one account. */
  readonly providerRules: boolean;
  locate(address: string): Located;
}

/** Adds the id, category, locations, description, URL and payload to a security event. */
export function composeEvent(facts: EventFacts, context: EventContext): IntakeEvent {
  const { kind, occurredAt, accountKeys, userAgents, blocked } = facts;
  const { application, dashboardUrl, providerRules } = context;
  const id = facts.id ?? randomId();
  const addresses = [...new Set(facts.ips.map(({ address }) => address))];
  const account = accountOf(accountKeys);
  const accounts = facts.accounts ?? (account === undefined ? [] : [account]);
  const mailbox = (one: string): string => mailboxOf(one, providerRules);
  const folded = accountKeys.map(({ value }) => foldEmail(value));
  const identifiers = new Map(folded.toReversed().map((one) => [mailbox(one), one]));
  const ips = facts.ips.map((ip): EventIp => {
    const known = context.locate(ip.address);
    return {
      address: ip.address,
      date_resolved: formatTimestamp(ip.resolvedAt ?? occurredAt),
      geo: ip.geo ?? known.geo,
      is_tor: ip.isTor ?? known.isTor,
    };
  });
  const { isHighRisk, ...known } = factsOfKind(kind);
  const category = facts.category ?? known.category;
  return {
    id,
    kind,
    category,
    occurredAt,
    highRisk: facts.highRisk ?? isHighRisk,
    addresses,
    accountKeys,
    account,
    mailbox: account && mailbox(account),
    accounts,
    mailboxes: accounts.map(mailbox),
    identifiers: [...identifiers.values()].toReversed(),
    userAgents,
    blocked,
    payload: {
      service_payload_type: "security_event",
      application_account_account_keys: accountKeys,
      application_id: application.id,
      application_name: application.name,
      environment: application.environment,
      date_occurred: formatTimestamp(occurredAt),
      event_category: category,
      event_id: id,
      event_kind: kind,
      event_url: `${dashboardUrl}/events/${encodeURIComponent(id)}`,
      humanized_description:
        facts.description ?? describeEvent(kind, account, addresses[0], application.name),
      ips,
      ...(facts.risk !== undefined && { risk: facts.risk }),
      ...(userAgents[0] !== undefined && { user_agent: userAgents[0] }),
      ...(blocked && { blocked }),
      ...(facts.travel && { travel: facts.travel }),
    },
  };
}

function accountOf(keys: readonly AccountKey[]): string | undefined {
  const key = keys.find(({ name }) => name === "email") ?? keys[0];
  return key && foldEmail(key.value);
}

export function namedBy({ ips, accountKeys }: EventFacts): number {
  return ips.length + accountKeys.length;
}
