import { formatTimestamp, type TestPayload } from "@riskgate/core";

/** The application that a test payload names. */
export interface TestSender {
  /** 24 hex digits. */
  readonly id: string;
  readonly name: string;
}

/**
 * Makes the payload that is sent on demand, with every member that has been seen in one.
 *
 * @param id 32 hex digits, new each time.
 * @param epochMicros Time of the request for it.
 */
export function testPayload(application: TestSender, id: string, epochMicros: number): TestPayload {
  const date = formatTimestamp(epochMicros);
  return {
    service_payload_type: "test",
    application_id: application.id,
    application_name: application.name,
    // Not the environment of the application: a test must not pass for production.
    environment: "development",
    id,
    event_category: "test",
    event_kind: "test_kind",
    risk: 42,
    date_occurred: date,
    humanized_description: "",
    url: "http://test",
    ips: [{ address: "42.42.42.42", date_resolved: date, geo: {} }],
  };
}
