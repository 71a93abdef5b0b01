import { type EmailAssessment, type IpAssessment } from "@riskgate/core";
import { normalizeIp } from "@riskgate/core/address";

/** Creates a complete assessment of an IP address, with its members in the order of the service. */
export function fakeIpAssessment(
  ip: string,
  members: Readonly<Record<string, unknown>> = {},
): IpAssessment {
  return Object.freeze({
    ip,
    ip_version: normalizeIp(ip)?.includes(":") ? 6 : 4,
    risk_score: 0,
    is_known_attacker: false,
    security_events_count: 0,
    high_risk_security_events_count: 0,
    ip_geo: Object.freeze({}),
    is_datacenter: false,
    is_vpn: false,
    is_proxy: false,
    is_private: false,
    is_tor: false,
    ...members,
  });
}

/**
 * Creates a complete assessment of an email address, with its members in the order of the service.
 */
export function fakeEmailAssessment(
  email: string,
  members: Readonly<Record<string, unknown>> = {},
): EmailAssessment {
  return Object.freeze({
    email,
    risk_score: 0,
    is_known_attacker: false,
    high_risk_security_events_count: 0,
    security_events_count: 0,
    is_disposable: false,
    is_email_malformed: false,
    is_email_harmful: false,
    ...members,
  });
}
