import { createHash } from "node:crypto";
import {
  INCIDENT_GENRES,
  type Incident,
  type Payload,
  type SecurityEvent,
  type SecurityResponse,
  type TestPayload,
} from "@riskgate/core";
import { formatTimestamp } from "@riskgate/core/payloads";
import { testPayload } from "@riskgate/core/internal";

/** Creates payloads in the form of the specification; given members replace the defaults. */
export interface Payloads {
  readonly securityEvent: (
    members?: Partial<SecurityEvent>,
  ) => SecurityEvent & { readonly event_id: string };
  readonly incident: (members?: Partial<Incident>) => Incident & { readonly id: string };
  readonly securityResponse: (
    members?: Partial<SecurityResponse>,
  ) => SecurityResponse & { readonly id: string };
  readonly test: (members?: Partial<TestPayload>) => TestPayload & { readonly id: string };
}

const START_MICROS = 1_767_225_600_000_000;

const APPLICATION = { application_id: "5f1e7c0a9b3d4e2f8a6c1d70", application_name: "Shop" };
const DASHBOARD = "https://dashboard.example";

/**
 * Creates independent payload builders.
 * @param seed Equal seeds give equal payloads in the same order. Each payload of a builder has a
 * different id, and occurs one second after the previous one.
 */
export function createPayloads(seed: number | string = 0): Payloads {
  let made = 0;
  const next = (digits: 24 | 32): { id: string; date: string; micros: number } => {
    made++;
    const id = createHash("sha256").update(`${seed}:${made}`).digest("hex").slice(0, digits);
    const micros = START_MICROS + made * 1_000_000 + 123_456;
    return { id, date: formatTimestamp(micros), micros };
  };

  return {
    securityEvent(members) {
      const { id, date } = next(24);
      return { ...eventOf(id, date), ...members };
    },
    incident(members) {
      const { id, date } = next(24);
      return {
        service_payload_type: "pulse",
        pulse_genre: "account_enumeration",
        pulse_category: "Security events",
        date_started: date,
        date_ended: date,
        humanized_title: INCIDENT_GENRES.account_enumeration,
        humanized_accounts: "",
        humanized_geos: "Paris, France",
        blocked: false,
        ...APPLICATION,
        environment: "production",
        id,
        url: `${DASHBOARD}/incidents/${id}`,
        incidents_count: 12,
        user_agents_count: 2,
        ip_addresses_count: 1,
        accounts_count: 3,
        ...members,
      };
    },
    securityResponse(members) {
      const { id, date } = next(24);
      return {
        id,
        service_payload_type: "security_response",
        date_created: date,
        application: {
          name: APPLICATION.application_name,
          environment: "production",
          id: APPLICATION.application_id,
        },
        properties: {
          ips: [{ ip_cidr: "203.0.113.7/32" }],
          user_identifiers: [{ email: "ada@shop.example" }],
        },
        playbook: { name: "Block brute force", id: "5f1e7c0a9b3d4e2f8a6c1d71" },
        ...members,
      };
    },
    test(members) {
      const { id, micros } = next(32);
      const application = { id: APPLICATION.application_id, name: APPLICATION.application_name };
      return { ...testPayload(application, id, micros), ...members };
    },
  };
}

function eventOf(id: string, date: string): SecurityEvent & { readonly event_id: string } {
  return {
    service_payload_type: "security_event",
    ...APPLICATION,
    application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
    environment: "production",
    date_occurred: date,
    event_category: "authentication",
    event_id: id,
    event_kind: "auth_bruteforce",
    event_url: `${DASHBOARD}/events/${id}`,
    humanized_description: "Account takeover attempt on ada@shop.example from 203.0.113.7",
    ips: [
      {
        address: "203.0.113.7",
        date_resolved: date,
        geo: { city: "Paris", code: "FRA", point: [2.35, 48.85] },
        is_tor: false,
      },
    ],
  };
}

/**
 * Wraps a payload in the envelope of the other generation of deliveries, whose messages have no
 * type.
 * @param retryCount Number of earlier attempts.
 */
export function enveloped(payload: Payload, retryCount = 0): Readonly<Record<string, unknown>> {
  const { service_payload_type: type, ...message } = payload;
  return {
    message_id: null,
    api_version: "2",
    date_created: formatTimestamp(START_MICROS + retryCount * 5_000_000),
    message_type: type,
    retry_count: retryCount,
    message,
  };
}

/** Payload builders, the same in every run of a test file. */
export const payloads: Payloads = createPayloads();
