import type { EmailAssessment as EmailBody, IpAssessment as IpBody } from "@riskgate/api-types";
import type { EmailAssessment, IpAssessment } from "@riskgate/core";
import type { ApiAnswer } from "./api-answer.js";

/**
 * Returns the response about an email: every specified member and no other, in the observed order,
 * because some clients compare the whole object. See `docs/spec-notes.md`.
 *
 * @param email The email as requested.
 */
export function emailBody(email: string, assessment: EmailAssessment): ApiAnswer<EmailBody> {
  return {
    email,
    risk_score: assessment.risk_score,
    is_known_attacker: assessment.is_known_attacker ?? false,
    high_risk_security_events_count: assessment.high_risk_security_events_count ?? 0,
    security_events_count: assessment.security_events_count ?? 0,
    is_disposable: assessment.is_disposable ?? false,
    is_email_malformed: assessment.is_email_malformed ?? false,
    is_email_harmful: assessment.is_email_harmful ?? false,
  };
}

/**
 * Returns the response about an IP, given in its normal form, by the same rules as for an email.
 */
export function ipBody(ip: string, assessment: IpAssessment): ApiAnswer<IpBody> {
  const { latitude, longitude, country_code, city } = assessment.ip_geo ?? {};
  return {
    ip,
    ip_version: ip.includes(":") ? 6 : 4,
    risk_score: assessment.risk_score,
    is_known_attacker: assessment.is_known_attacker ?? false,
    security_events_count: assessment.security_events_count ?? 0,
    high_risk_security_events_count: assessment.high_risk_security_events_count ?? 0,
    // JSON omits undefined members.
    ip_geo: { latitude, longitude, country_code, city },
    is_datacenter: assessment.is_datacenter ?? false,
    is_vpn: assessment.is_vpn ?? false,
    is_proxy: assessment.is_proxy ?? false,
    is_private: assessment.is_private ?? false,
    is_tor: assessment.is_tor ?? false,
  };
}
