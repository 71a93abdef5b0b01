import type { Payload } from "../../src/model/payload.js";

/** A type as the tests know it: of a leaf, of a list, or of an object with known members. */
type Shape = "string" | "number" | "boolean" | "point" | "identifier" | [Shape] | Members;
interface Members {
  readonly [member: string]: Shape;
}

const APPLICATION = { application_id: "string", application_name: "string", environment: "string" };

const IPS = [
  {
    "address!": "string",
    date_resolved: "string",
    is_tor: "boolean",
    "geo!": { city: "string", code: "string", point: "point" },
  },
];

const EVENT = {
  ...APPLICATION,
  event_id: "string",
  event_kind: "string",
  event_category: "string",
  event_url: "string",
  date_occurred: "string",
  humanized_description: "string",
  risk: "number",
  "ips!": IPS,
};

/** The members that payloads are stated to have; `!` marks those that are never missing. */
const SHAPES = {
  security_event: {
    ...EVENT,
    "application_account_account_keys!": [{ "name!": "string", "value!": "string" }],
  },
  test: { ...EVENT, id: "string" },
  pulse: {
    ...APPLICATION,
    pulse_genre: "string",
    pulse_category: "string",
    date_started: "string",
    date_ended: "string",
    humanized_title: "string",
    humanized_accounts: "string",
    humanized_geos: "string",
    blocked: "boolean",
    id: "string",
    url: "string",
    incidents_count: "number",
    user_agents_count: "number",
    ip_addresses_count: "number",
    accounts_count: "number",
  },
  security_response: {
    id: "string",
    date_created: "string",
    application: { name: "string", environment: "string", id: "string" },
    "properties!": { "ips!": [{ "ip_cidr!": "string" }], "user_identifiers!": ["identifier"] },
    playbook: { name: "string", id: "string" },
  },
} as unknown as Readonly<Record<string, Members>>;

/** Paths of members of a payload that are not of the type stated for them. */
export function mistypedMembers(payload: Payload): string[] {
  const shape = SHAPES[payload.service_payload_type];
  return shape ? mistyped(payload, shape, "$") : ["$.service_payload_type"];
}

function mistyped(value: unknown, shape: Shape, path: string): string[] {
  if (shape === "point") {
    const [longitude, latitude, ...rest] = Array.isArray(value) ? (value as unknown[]) : [];
    const isPoint =
      rest.length === 0 && Math.abs(Number(longitude)) <= 180 && Math.abs(Number(latitude)) <= 90;
    return isPoint && typeof longitude === "number" && typeof latitude === "number" ? [] : [path];
  }
  if (shape === "identifier") {
    return typeof value === "string" || isObject(value) ? [] : [path];
  }
  if (shape === "number") return Number.isFinite(value) ? [] : [path];
  if (typeof shape === "string") return typeof value === shape ? [] : [path];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [path];
    return value.flatMap((item, index) => mistyped(item, shape[0], `${path}[${index}]`));
  }
  if (!isObject(value)) return [path];
  return Object.entries(shape).flatMap(([marked, inner]) => {
    const name = marked.replace("!", "");
    if (value[name] === undefined && name === marked && !Object.hasOwn(value, name)) return [];
    return mistyped(value[name], inner, `${path}.${name}`);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
