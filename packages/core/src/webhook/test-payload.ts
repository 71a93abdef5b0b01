import type { TestPayload } from "../model/payload.js";
import { formatTimestamp } from "./timestamp.js";

export interface TestSender {
  /** Id of the application, 24 hex digits. */
  readonly id: string;
  readonly name: string;
}

/**
 * Creates the payload that is sent on demand, in the full observed shape. The specification does
 * not define one.
 * @param id 32 hex digits, new each time.
 * @param epochMicros Time of the request, in microseconds since 1970.
 */
export function testPayload(
  application: TestSender,
  id: string,
  epochMicros: number,
): TestPayload & { readonly id: string } {
  const date = formatTimestamp(epochMicros);
  return {
    service_payload_type: "test",
    application_id: application.id,
    application_name: application.name,
    // Not the application's environment: a test must not look like production.
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
