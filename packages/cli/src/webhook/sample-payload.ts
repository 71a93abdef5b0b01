import { randomBytes } from "node:crypto";
import { INCIDENT_GENRES, type TestPayload } from "@riskgate/core";
import { formatTimestamp, type PayloadType } from "@riskgate/core/payloads";
import { testPayload } from "@riskgate/core/internal";

export interface SampleSubject {
  readonly type: PayloadType;
  readonly kind: string;
  /** `event_category` of a security event. */
  readonly category: string;
  /** `pulse_genre` of an incident. */
  readonly genre: string;
  readonly ip: string;
  readonly account: string;
}

const APPLICATION_ID = "000000000000000000000001";
const APPLICATION = { application_id: APPLICATION_ID, application_name: "riskgate send" };
const ENVIRONMENT = { environment: "development" };
const DASHBOARD = "http://127.0.0.1";

export function samplePayload(subject: SampleSubject, epochMs: number): object {
  const date = formatTimestamp(epochMs * 1000);
  const { type } = subject;
  if (type === "test") {
    const test = sampleTest(epochMs);
    return { ...test, ips: test.ips.map((ip) => ({ ...ip, address: subject.ip })) };
  }
  return BUILDERS[type](subject, date);
}

export function sampleTest(epochMs: number): TestPayload {
  const sender = { id: APPLICATION_ID, name: APPLICATION.application_name };
  return testPayload(sender, hexId(16), epochMs * 1000);
}

const BUILDERS: Readonly<
  Record<
    Exclude<PayloadType, "test">,
    (subject: SampleSubject, date: string) => Record<string, unknown>
  >
> = {
  security_event({ kind, category, ip, account }, date) {
    const id = hexId(12);
    const url = `${DASHBOARD}/events/${id}`;
    return {
      service_payload_type: "security_event",
      application_account_account_keys: [{ name: "email", value: account }],
      ...APPLICATION,
      ...ENVIRONMENT,
      date_occurred: date,
      event_category: category,
      event_id: id,
      id,
      event_kind: kind,
      event_url: url,
      url,
      risk: 25,
      humanized_description: `${kind} on ${account} from ${ip}`,
      ips: [{ address: ip, date_resolved: date, geo: {}, is_tor: false }],
    };
  },
  pulse({ genre, account }, date) {
    const id = hexId(12);
    const title = (INCIDENT_GENRES as Readonly<Record<string, string>>)[genre] ?? genre;
    return {
      service_payload_type: "pulse",
      pulse_genre: genre,
      pulse_category: "Security events",
      date_started: date,
      date_ended: date,
      humanized_title: title.replace("{account}", account),
      humanized_accounts: account,
      humanized_geos: "",
      blocked: false,
      ...APPLICATION,
      ...ENVIRONMENT,
      id,
      url: `${DASHBOARD}/incidents/${id}`,
      incidents_count: 1,
      user_agents_count: 1,
      ip_addresses_count: 1,
      accounts_count: 1,
    };
  },
  security_response({ ip, account }, date) {
    return {
      id: hexId(12),
      service_payload_type: "security_response",
      date_created: date,
      application: { name: APPLICATION.application_name, ...ENVIRONMENT, id: APPLICATION_ID },
      properties: {
        ips: [{ ip_cidr: `${ip}/${ip.includes(":") ? 128 : 32}` }],
        user_identifiers: [{ email: account }],
      },
      playbook: { name: "Sample playbook", id: hexId(12) },
    };
  },
};

function hexId(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
