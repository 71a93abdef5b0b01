import type {
  EmailExplanation as EmailAnswer,
  IpExplanation as IpAnswer,
} from "@riskgate/api-types";
import type { Explanation, IpExplanation } from "@riskgate/engine";
import type { Assessment } from "@riskgate/core";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { LedgerEntry } from "../../model/subject.js";
import { instantOf } from "../../model/instant.js";
import type { AppliedRule } from "../../lookups/engine-with-rules.js";
import type { ApiAnswer } from "../api-answer.js";
import { adminView } from "./admin-view.js";

export interface ExplanationContext<Body> {
  readonly assessment: Body;
  readonly entries: readonly LedgerEntry[];
  readonly rules: readonly AppliedRule[];
}

type ExplanationView<Body> = ApiAnswer<Omit<EmailAnswer, "assessment" | "is_forwarding">> & {
  readonly assessment: Body;
};

/** Converts the reasons for a score to the form used by the administration API. */
export function explanationView<Body>(
  { score, signals, feeds, history }: Explanation<Assessment>,
  { assessment, entries, rules }: ExplanationContext<Body>,
): ExplanationView<Body> {
  const { lastEventAtMs } = history;
  return {
    score,
    signals,
    assessment,
    feeds: feeds.map(({ name, kind, listed, size, loadedAtMs, updatedAtMs, ageMs, licence }) => ({
      name,
      kind,
      listed,
      size,
      loadedAtMs,
      updatedAtMs,
      ageMs,
      licence,
    })),
    ledger: {
      events: history.security_events_count,
      highRisk: history.high_risk_security_events_count,
      isKnownAttacker: history.is_known_attacker,
      lastEventAt: lastEventAtMs === undefined ? null : formatTimestamp(instantOf(lastEventAtMs)),
      entries: entries.map(({ applicationId, eventId, kind, occurredAt, highRisk }) =>
        adminView({ applicationId, eventId, kind, occurredAt, highRisk }),
      ),
    },
    rules,
  };
}

/** Returns the country and network operator of an address according to the geo databases. */
export function geoView({ country, asn }: IpExplanation): IpAnswer["geo"] {
  return { country: country ?? null, asn: asn ?? null };
}
