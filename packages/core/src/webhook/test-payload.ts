import type { TestPayload } from "../model/payload.js";
import { formatTimestamp } from "./timestamp.js";

/** Members of a test payload about its sender. */
export interface TestSender {
  /** Id of the application, 24 hex digits. */
  readonly id: string;
  readonly name: string;
}

/**
 * Makes the payload that is sent on demand, in the full shape that has been seen. The specification
 * states none.
 *
 * @param id 32 hex digits, new each time.
 * @param epochMicros Time of the demand, in microseconds since 1970.
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
