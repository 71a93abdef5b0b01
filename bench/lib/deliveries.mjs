import { createHash } from "node:crypto";

/** Cities by the UTF-8 length of their letters: ASCII, or two and three bytes. */
const CITIES = {
  ascii: ["Paris", "Berlin", "Madrid", "Oslo"],
  utf8: ["Malm\u00f6", "S\u00e3o Paulo", "\u0141\u00f3d\u017a", "\u6771\u4eac"],
};

/**
 * Creates a delivery of security events with all members of the specification, about 838 bytes each.
 * The same arguments give the same bytes.
 *
 * @param {number} count
 * @param {{ text?: "ascii" | "utf8", series?: number }} [options] Each series has different ids.
 */
export function makeDelivery(count, { text = "ascii", series = 0 } = {}) {
  const events = Array.from({ length: count }, (_, index) =>
    makeEvent(series * count + index, CITIES[text][index % 4]),
  );
  return { events, body: Buffer.from(JSON.stringify(events)) };
}

/**
 * @param {number} number
 * @param {string | undefined} city
 */
function makeEvent(number, city) {
  const id = createHash("sha256").update(`event ${number}`).digest("hex").slice(0, 24);
  const date = new Date(1_767_225_600_000 + number * 1000).toISOString();
  const occurred = `${date.slice(0, -1)}456+00:00`;
  const address = `203.0.113.${number % 256}`;
  return {
    service_payload_type: "security_event",
    application_id: "5f1e7c0a9b3d4e2f8a6c1d70",
    application_name: "Shop",
    application_account_account_keys: [{ name: "email", value: `ada.${number}@shop.example` }],
    environment: "production",
    date_occurred: occurred,
    event_category: "authentication",
    event_id: id,
    event_kind: "auth_bruteforce",
    event_url: `https://dashboard.example/applications/5f1e7c0a9b3d4e2f8a6c1d70/events/${id}`,
    humanized_description:
      `Account takeover attempt on ada.${number}@shop.example from ${address}: ` +
      "many passwords were tried within a few minutes, and the last one opened the account",
    risk: number % 100,
    ips: [
      {
        address,
        date_resolved: occurred,
        geo: { city, code: "FRA", point: [2.35, 48.85] },
        is_tor: false,
      },
    ],
  };
}
