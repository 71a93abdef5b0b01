import { formatTimestamp, type TestPayload } from "@riskgate/core";

/** What a test payload says about its sender. */
export interface TestSender {
  /** 24 hex digits. */
  readonly id: string;
  readonly name: string;
}

/**
 * Make the payload that is sent on demand, with every member that has been seen in one.
 *
 * @param id 32 hex digits, new each time.
 * @param epochMicros Time of the demand.
 */
export function testPayload(application: TestSender, id: string, epochMicros: number): TestPayload {
  const date = formatTimestamp(epochMicros);
  return {
    service_payload_type: "test",
    application_id: application.id,
    application_name: application.name,
    // Not the environment of the application: nobody shall take a test for production.
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
