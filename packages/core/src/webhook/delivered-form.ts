import { isRawObject, type RawObject } from "./raw-object.js";
import { knownCategory, knownKind, type PayloadType } from "./vocabulary.js";

/**
 * Tell whether a payload stands already in the spelling and the types of `Payload`, as nearly every
 * payload does; a security event also in words that are known.
 *
 * The members are written out, because reading a member by a name that the code spells costs a tenth
 * of reading it by a name from a table. False for a good payload would only cost time: the table then
 * finds nothing to repair. A test holds the two together.
 *
 * @param type What `service_payload_type` says.
 */
export function isInDeliveredForm(type: PayloadType, raw: RawObject): boolean {
  if (type === "security_event") {
    return (
      isEvent(raw) &&
      isKnownKind(raw.event_kind) &&
      isKnownCategory(raw.event_category) &&
      isList(raw.application_account_account_keys, isAccountKey)
    );
  }
  if (type === "test") {
    return isEvent(raw) && isText(raw.id) && isWord(raw.event_kind) && isWord(raw.event_category);
  }
  return type === "pulse" ? isIncident(raw) : isResponse(raw);
}

function isEvent(raw: RawObject): boolean {
  return (
    isOfApplication(raw) &&
    isText(raw.humanized_description) &&
    isTextOr(raw.event_id, raw.id) &&
    isTextOr(raw.event_url, raw.url) &&
    isTextOr(raw.date_occurred, raw.date_occured) &&
    (raw.risk === undefined ? raw.risk_coefficient === undefined : Number.isFinite(raw.risk)) &&
    isList(raw.ips, isEventIp)
  );
}

function isIncident(raw: RawObject): boolean {
  return (
    isOfApplication(raw) &&
    isWord(raw.pulse_genre) &&
    isText(raw.pulse_category) &&
    isText(raw.date_started) &&
    isText(raw.date_ended) &&
    isText(raw.humanized_title) &&
    isText(raw.humanized_accounts) &&
    isText(raw.humanized_geos) &&
    isFlag(raw.blocked) &&
    isText(raw.id) &&
    isText(raw.url) &&
    isCount(raw.incidents_count) &&
    isCount(raw.user_agents_count) &&
    isCount(raw.ip_addresses_count) &&
    isCount(raw.accounts_count)
  );
}

function isResponse({ id, date_created, application, playbook, properties }: RawObject): boolean {
  return (
    isText(id) &&
    isText(date_created) &&
    (application === undefined || (isNamed(application) && isText(application.environment))) &&
    (playbook === undefined || isNamed(playbook)) &&
    isRawObject(properties) &&
    isList(properties.ips, isCidr) &&
    isList(properties.user_identifiers, isIdentifier)
  );
}

function isOfApplication(raw: RawObject): boolean {
  return isText(raw.application_id) && isText(raw.application_name) && isText(raw.environment);
}

/** The location stands under `geo`; beside the address it would have to be moved there. */
function isEventIp(ip: unknown): boolean {
  return (
    isRawObject(ip) &&
    typeof ip.address === "string" &&
    isText(ip.date_resolved) &&
    isFlag(ip.is_tor) &&
    isGeo(ip.geo) &&
    ip.country_code === undefined &&
    ip.city === undefined &&
    ip.geo_longitude === undefined
  );
}

function isGeo(geo: unknown): boolean {
  return isRawObject(geo) && isText(geo.city) && isText(geo.code) && isPoint(geo.point);
}

function isPoint(point: unknown): boolean {
  if (point === undefined) return true;
  return (
    Array.isArray(point) &&
    point.length === 2 &&
    isDegrees(point[0], 180) &&
    isDegrees(point[1], 90)
  );
}

/** Tell whether a value is an angle of at most `limit` degrees to either side. */
export function isDegrees(value: unknown, limit: number): boolean {
  return typeof value === "number" && value >= -limit && value <= limit;
}

function isAccountKey(key: unknown): boolean {
  return isRawObject(key) && typeof key.name === "string" && typeof key.value === "string";
}

function isCidr(ip: unknown): boolean {
  return isRawObject(ip) && typeof ip.ip_cidr === "string";
}

function isIdentifier(identifier: unknown): boolean {
  return typeof identifier === "string" || isRawObject(identifier);
}

function isNamed(value: unknown): value is RawObject {
  return isRawObject(value) && isText(value.name) && isText(value.id);
}

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isElement);
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** A text, or nothing in either spelling. */
function isTextOr(value: unknown, alias: unknown): boolean {
  return typeof value === "string" || (value === undefined && alias === undefined);
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function isCount(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

function isKnownKind(kind: unknown): boolean {
  return kind === undefined || (typeof kind === "string" && knownKind(kind) !== undefined);
}

function isKnownCategory(category: unknown): boolean {
  return (
    category === undefined ||
    (typeof category === "string" && knownCategory(category) !== undefined)
  );
}

/** Text without blanks. */
function isWord(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && !/\s/.test(value));
}
