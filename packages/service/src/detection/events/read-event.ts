import { withoutBlanks } from "@riskgate/core/internal";
import type { EventGeo } from "@riskgate/core/payloads";
import { destinationOf } from "@riskgate/core/address";
import type { Instant } from "../../model/instant.js";
import type { EventFacts, FactIp } from "../../model/event.js";
import { isKnownKind } from "../../model/event-kind.js";
import { MemberReader } from "./member-reader.js";

/** Visible ASCII, so that an id can appear in URLs and logs. */
const EVENT_ID = /^[\x21-\x7e]{1,128}$/;

const NAME = /^[A-Za-z][\w.-]{0,63}$/;

const MAX_IPS = 100;

/** Members of the payload that the service sets. */
const SET_BY_SERVICE = [
  "service_payload_type",
  "application_id",
  "application_name",
  "environment",
  "event_category",
  "event_url",
  "url",
  "travel",
] as const;

/**
 * Reads a security event reported by an application. It has the members of the payload, in either
 * spelling. Only `event_kind` is required, and members that the service sets itself are ignored.
 * Any other member is rejected. Kinds that the specification does not name are accepted too.
 * @throws {RiskGateError} INVALID_ARGUMENT; the message is the reason to return.
 */
export function readEvent(value: unknown, now: Instant): EventFacts {
  const reader = new MemberReader(value, "the event");
  const id = reader.text("event_id", 128, "id");
  if (id !== undefined && !EVENT_ID.test(id)) reader.refuse("event_id", "visible ASCII");
  const userAgent = reader.text("user_agent", 512);
  const kind = readName(reader, "event_kind") ?? reader.missing("event_kind");
  const facts: EventFacts = {
    id,
    kind,
    // Applications cannot change the category of a known kind.
    category: isKnownKind(kind) ? undefined : readName(reader, "event_category"),
    occurredAt: reader.instant(now, "date_occurred", "date_occured"),
    accountKeys: reader.accountKeys("application_account_account_keys"),
    ips: reader.list("ips", MAX_IPS).map((ip, index) => readIp(ip, `ips[${index}]`, now)),
    userAgents: userAgent === undefined ? [] : [userAgent],
    blocked: reader.flag("blocked") ?? false,
    description: reader.text("humanized_description", 1000),
    risk: reader.number("risk", 0, 100),
  };
  for (const name of SET_BY_SERVICE) reader.value(name);
  reader.refuseOthers();
  return facts;
}

/** Reads a name without the spaces that some senders add. */
function readName(reader: MemberReader, name: string): string | undefined {
  const text = reader.text(name, 80);
  const word = text === undefined ? undefined : withoutBlanks(text);
  if (word === undefined || NAME.test(word)) return word;
  return reader.refuse(name, "letters, digits, `_`, `.` and `-`");
}

function readIp(value: unknown, path: string, now: Instant): FactIp {
  const object = typeof value === "string" ? { address: value } : value;
  const reader = new MemberReader(object, `\`${path}\``, `${path}.`);
  const resolved = reader.value("date_resolved");
  const ip: FactIp = {
    address: destinationOf(reader.value("address")) ?? reader.refuse("address", "an IP address"),
    ...(resolved !== undefined && { resolvedAt: reader.instant(now, "date_resolved") }),
    geo: readGeo(reader.value("geo"), `${path}.geo`),
    isTor: reader.flag("is_tor"),
  };
  reader.refuseOthers();
  return ip;
}

/**
 * Reads a location; undefined if it is empty or absent.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readGeo(value: unknown, path: string): EventGeo | undefined {
  if (value === undefined) return undefined;
  const reader = new MemberReader(value, `\`${path}\``, `${path}.`);
  const city = reader.text("city", 128);
  const code = reader.text("code", 3);
  if (code !== undefined && !/^[A-Z]{3}$/.test(code)) {
    reader.refuse("code", "an ISO 3166 alpha-3 country code");
  }
  const point = reader.list("point", 2);
  const [longitude, latitude] = point;
  if (point.length > 0 && !(isDegrees(longitude, 180) && isDegrees(latitude, 90))) {
    reader.refuse("point", "longitude and latitude in degrees");
  }
  reader.refuseOthers();
  const geo: EventGeo = {
    ...(city !== undefined && { city }),
    ...(code !== undefined && { code }),
    ...(point.length > 0 && { point: [longitude as number, latitude as number] }),
  };
  return Object.keys(geo).length === 0 ? undefined : geo;
}

function isDegrees(value: unknown, limit: number): boolean {
  return typeof value === "number" && value >= -limit && value <= limit;
}
