import type { Payload } from "../model/payload.js";
import { isRawObject, type RawObject } from "../model/raw-object.js";
import { isKnownWord, type PayloadType } from "../model/vocabulary.js";

/**
 * Converts one payload to the spelling and the types of `Payload`.
 *
 * Pure: the given object is never changed, and is itself the result when nothing needs repair, as
 * with nearly every payload. Each function below describes one object, member by member: it reads
 * the given members and returns the object with the necessary changes. The members are spelled out,
 * because a loop over a table of names takes four times as long.
 *
 * @param dropped Receives the paths of members with an unusable value, such as `ips[2]`.
 */
export function readPayload(type: PayloadType, raw: RawObject, dropped: string[]): Payload {
  const normal = READERS[type](raw, dropped);
  // A service with other spellings keeps the type under another name.
  const payload = normal[TYPE] === type ? normal : { ...normal, [TYPE]: type };
  return payload as unknown as Payload;
}

const TYPE = "service_payload_type";

/** Returns the object itself if it needs no change, and otherwise a repaired copy. */
type ReadObject = (given: RawObject, dropped: string[]) => RawObject;

const READERS: Readonly<Record<PayloadType, ReadObject>> = {
  security_event: readSecurityEvent,
  pulse: readIncident,
  security_response: readSecurityResponse,
  test: readTestPayload,
};

function readSecurityEvent(given: RawObject, dropped: string[]): RawObject {
  const keys = given.application_account_account_keys;
  const event = readEvent(given, dropped);
  return list(event, "application_account_account_keys", keys, readAccountKey, dropped);
}

function readTestPayload(given: RawObject, dropped: string[]): RawObject {
  return text(readEvent(given, dropped), "id", given.id, dropped);
}

function readEvent(given: RawObject, dropped: string[]): RawObject {
  let event = readApplicationMembers(given, dropped);
  event = word(event, "event_kind", given.event_kind, dropped);
  event = word(event, "event_category", given.event_category, dropped);
  event = text(event, "humanized_description", given.humanized_description, dropped);
  event = textOr(event, "event_id", given.event_id, given.id, dropped);
  event = textOr(event, "event_url", given.event_url, given.url, dropped);
  event = textOr(event, "date_occurred", given.date_occurred, given.date_occured, dropped);
  event = text(event, "user_agent", given.user_agent, dropped);
  event = number(event, "risk", given.risk, dropped, given.risk_coefficient);
  return list(event, "ips", given.ips, readEventIp, dropped);
}

function readIncident(given: RawObject, dropped: string[]): RawObject {
  let incident = readApplicationMembers(given, dropped);
  incident = word(incident, "pulse_genre", given.pulse_genre, dropped);
  incident = text(incident, "pulse_category", given.pulse_category, dropped);
  incident = text(incident, "date_started", given.date_started, dropped);
  incident = text(incident, "date_ended", given.date_ended, dropped);
  incident = text(incident, "humanized_title", given.humanized_title, dropped);
  incident = text(incident, "humanized_accounts", given.humanized_accounts, dropped);
  incident = text(incident, "humanized_geos", given.humanized_geos, dropped);
  incident = flag(incident, "blocked", given.blocked, dropped);
  incident = text(incident, "id", given.id, dropped);
  incident = text(incident, "url", given.url, dropped);
  incident = number(incident, "incidents_count", given.incidents_count, dropped);
  incident = number(incident, "user_agents_count", given.user_agents_count, dropped);
  incident = number(incident, "ip_addresses_count", given.ip_addresses_count, dropped);
  return number(incident, "accounts_count", given.accounts_count, dropped);
}

function readSecurityResponse(given: RawObject, dropped: string[]): RawObject {
  let response = text(given, "id", given.id, dropped);
  response = text(response, "date_created", given.date_created, dropped);
  response = object(response, "application", given.application, readApplication, dropped);
  response = object(response, "playbook", given.playbook, readPlaybook, dropped);
  response = object(response, "properties", given.properties, readProperties, dropped);
  return response.properties ? response : { ...response, properties: readProperties({}, dropped) };
}

function readApplicationMembers(given: RawObject, dropped: string[]): RawObject {
  let result = text(given, "application_id", given.application_id, dropped);
  result = text(result, "application_name", given.application_name, dropped);
  return text(result, "environment", given.environment, dropped);
}

function readApplication(given: RawObject, dropped: string[]): RawObject {
  let application = text(given, "name", given.name, dropped);
  application = text(application, "environment", given.environment, dropped);
  return text(application, "id", given.id, dropped);
}

function readPlaybook(given: RawObject, dropped: string[]): RawObject {
  return text(text(given, "name", given.name, dropped), "id", given.id, dropped);
}

function readProperties(given: RawObject, dropped: string[]): RawObject {
  let properties = list(given, "ips", given.ips, readCidr, dropped);
  properties = number(properties, "duration_seconds", given.duration_seconds, dropped);
  return list(properties, "user_identifiers", given.user_identifiers, readIdentifier, dropped);
}

/** In the flat spelling the location is beside the address; `geo` wins where it holds more. */
function readEventIp(given: unknown, dropped: string[]): unknown {
  if (!isRawObject(given) || typeof given.address !== "string") return undefined;
  let ip = text(given, "date_resolved", given.date_resolved, dropped);
  ip = flag(ip, "is_tor", given.is_tor, dropped);
  ip = object(ip, "geo", given.geo, readGeo, dropped);
  const { country_code: code, city, geo_longitude: longitude, geo_latitude: latitude } = given;
  if (code === undefined && city === undefined && longitude === undefined) {
    return ip.geo ? ip : { ...ip, geo: {} };
  }
  const beside = {
    ...(code !== undefined && { code }),
    ...(city !== undefined && { city }),
    point: [longitude, latitude],
  };
  const geo = (ip.geo ?? {}) as RawObject;
  const flat = readGeo(beside, []);
  const isAllSaid = ip.geo && Object.keys(flat).every((name) => Object.hasOwn(geo, name));
  return isAllSaid ? ip : { ...ip, geo: { ...flat, ...geo } };
}

function readGeo(given: RawObject, dropped: string[]): RawObject {
  let geo = text(given, "city", given.city, dropped);
  geo = text(geo, "code", given.code, dropped);
  return isPoint(given.point) ? geo : repaired(geo, "point", given.point, undefined, dropped);
}

function readAccountKey(given: unknown): unknown {
  const isKey =
    isRawObject(given) && typeof given.name === "string" && typeof given.value === "string";
  return isKey ? given : undefined;
}

function readCidr(given: unknown): unknown {
  return isRawObject(given) && typeof given.ip_cidr === "string" ? given : undefined;
}

function readIdentifier(given: unknown): unknown {
  return typeof given === "string" || isRawObject(given) ? given : undefined;
}

function text(object: RawObject, name: string, given: unknown, dropped: string[]): RawObject {
  if (given === undefined || typeof given === "string") return object;
  return repaired(object, name, given, undefined, dropped);
}

/** A text in either of two spellings. */
function textOr(
  object: RawObject,
  name: string,
  given: unknown,
  alias: unknown,
  dropped: string[],
): RawObject {
  if (typeof given === "string" || (given === undefined && alias === undefined)) return object;
  return repaired(object, name, given, typeof alias === "string" ? alias : undefined, dropped);
}

/** A text without blanks. Blanks inside a kind are a known fault of some senders. */
function word(object: RawObject, name: string, given: unknown, dropped: string[]): RawObject {
  if (typeof given !== "string") return text(object, name, given, dropped);
  if (isKnownWord(given) || !/\s/.test(given)) return object;
  return { ...object, [name]: given.replace(/\s+/g, "") };
}

function flag(object: RawObject, name: string, given: unknown, dropped: string[]): RawObject {
  if (given === undefined || typeof given === "boolean") return object;
  return repaired(object, name, given, undefined, dropped);
}

/** A number, perhaps in either of two spellings. */
function number(
  object: RawObject,
  name: string,
  given: unknown,
  dropped: string[],
  alias?: unknown,
): RawObject {
  if (Number.isFinite(given) || (given === undefined && alias === undefined)) return object;
  return repaired(object, name, given, Number.isFinite(alias) ? alias : undefined, dropped);
}

/** Missing, or longitude and latitude in degrees. */
function isPoint(given: unknown): boolean {
  if (given === undefined) return true;
  return (
    Array.isArray(given) &&
    given.length === 2 &&
    isDegrees(given[0], 180) &&
    isDegrees(given[1], 90)
  );
}

function isDegrees(given: unknown, limit: number): boolean {
  return typeof given === "number" && given >= -limit && given <= limit;
}

function object(
  parent: RawObject,
  name: string,
  given: unknown,
  read: ReadObject,
  dropped: string[],
): RawObject {
  if (given === undefined) return parent;
  if (!isRawObject(given)) return repaired(parent, name, given, undefined, dropped);
  const before = dropped.length;
  const child = read(given, dropped);
  if (dropped.length > before) prefix(dropped, before, `${name}.`);
  return child === given ? parent : { ...parent, [name]: child };
}

/** A list without its unusable elements, which `read` turns into undefined; never absent. */
function list(
  parent: RawObject,
  name: string,
  given: unknown,
  read: (element: unknown, dropped: string[]) => unknown,
  dropped: string[],
): RawObject {
  if (!Array.isArray(given)) return repaired(parent, name, given, [], dropped);
  const elements: readonly unknown[] = given;
  let kept: unknown[] | undefined;
  for (let index = 0; index < elements.length; index++) {
    const before = dropped.length;
    const element = read(elements[index], dropped);
    if (dropped.length > before) prefix(dropped, before, `${name}[${index}].`);
    if (element === undefined) dropped.push(`${name}[${index}]`);
    if (element !== elements[index]) kept ??= elements.slice(0, index);
    if (element !== undefined) kept?.push(element);
  }
  return kept ? { ...parent, [name]: kept } : parent;
}

function prefix(paths: string[], from: number, before: string): void {
  for (let at = from; at < paths.length; at++) paths[at] = before + paths[at];
}

/** Note a member that is present with an unusable value, and replace it; undefined removes it. */
function repaired(
  object: RawObject,
  name: string,
  given: unknown,
  value: unknown,
  dropped: string[],
): RawObject {
  if (given !== undefined && given !== null) dropped.push(name);
  if (value !== undefined) return { ...object, [name]: value };
  if (given === undefined) return object;
  const copy: Record<string, unknown> = { ...object };
  delete copy[name];
  return copy;
}
