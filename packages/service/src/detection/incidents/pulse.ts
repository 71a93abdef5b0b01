import { INCIDENT_GENRES } from "@riskgate/core";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { Application } from "../../model/application.js";
import { countDistinct } from "./distinct.js";
import type { Distinct } from "../../model/incident.js";
import type { IncidentRecord } from "../../model/incident.js";

export interface PulseContext {
  readonly application: Pick<Application, "id" | "name" | "environment">;
  /** Base of the dashboard URLs, without a trailing slash. */
  readonly dashboardUrl: string;
  /** Threshold for the title of an incident about an account score. */
  readonly accountScoreAbove: number;
}

/**
 * Composes the payload of an incident. Source: specification, Incident. While the incident is open,
 * `date_ended` is null instead of absent, because some receivers reject a payload without it.
 */
export function pulseOf(
  incident: IncidentRecord,
  context: PulseContext,
): Readonly<Record<string, unknown>> {
  const { id, genre, subject, state, startedAt, endedAt } = incident;
  const { application, dashboardUrl, accountScoreAbove } = context;
  const words: Readonly<Record<string, string>> = {
    account: subject === "" ? "unknown" : (state.accountNames[0] ?? subject),
    threshold: String(accountScoreAbove),
    blocked: state.blocked ? "blocked" : "not blocked",
  };
  return {
    service_payload_type: "pulse",
    pulse_genre: genre,
    pulse_category: "Security events",
    date_started: formatTimestamp(startedAt),
    date_ended: endedAt === null ? null : formatTimestamp(endedAt),
    humanized_title: INCIDENT_GENRES[genre].replace(
      /\{(\w+)\}/g,
      (_, word: string) => words[word]!,
    ),
    humanized_accounts: enumerate(state.accountNames, state.accounts),
    humanized_geos: state.placeNames.join("; "),
    blocked: state.blocked,
    application_id: application.id,
    application_name: application.name,
    environment: application.environment,
    id,
    url: `${dashboardUrl}/incidents/${id}`,
    incidents_count: state.events,
    user_agents_count: countDistinct(state.userAgents),
    ip_addresses_count: countDistinct(state.addresses),
    accounts_count: countDistinct(state.accounts),
  };
}

function enumerate(names: readonly string[], seen: Distinct): string {
  const others = countDistinct(seen) - names.length;
  if (others <= 0) return names.join(", ");
  return `${names.join(", ")} and ${others} ${others === 1 ? "other" : "others"}`;
}
