import type { Payload } from "../model/payload.js";
import { isRawObject, type RawObject } from "../model/raw-object.js";
import { isKnownWord, type PayloadType, withoutBlanks } from "../model/vocabulary.js";
import { isAccountKey, isCleanEvent, isPoint } from "./clean-event.js";

/** A member of an object, as described by `Payload`. */
interface Member {
  readonly name: string;
  /** The accepted type, or how an object, a list or a geographic point is read. */
  readonly type: "string" | "number" | "boolean" | "point" | "object" | "list";
  /** Another spelling, used if the member itself is unusable. */
  readonly alias: string | undefined;
  /** Whitespace inside is removed: some senders add it. */
  readonly isWord: boolean;
  readonly members: readonly Member[];
  readonly readElement: ReadElement;
}

type ReadElement = (given: unknown, dropped: string[]) => unknown;

/** Each member has all properties: a single shape makes the loop over them fast. */
function member(name: string, type: Member["type"], rest: Partial<Member> = {}): Member {
  const { alias, isWord = false, members = [], readElement = isRawObject } = rest;
  return { name, type, alias, isWord, members, readElement };
}

const text = (name: string, alias?: string): Member => member(name, "string", { alias });
const word = (name: string): Member => member(name, "string", { isWord: true });
const flag = (name: string): Member => member(name, "boolean");
const number = (name: string, alias?: string): Member => member(name, "number", { alias });
const object = (name: string, members: readonly Member[]): Member =>
  member(name, "object", { members });
const list = (name: string, readElement: ReadElement): Member =>
  member(name, "list", { readElement });

const GEO = [text("city"), text("code"), member("point", "point")];
const EVENT_IP = [text("date_resolved"), flag("is_tor"), object("geo", GEO)];
const OF_APPLICATION = [text("application_id"), text("application_name"), text("environment")];
const EVENT = [
  ...OF_APPLICATION,
  word("event_kind"),
  word("event_category"),
  text("humanized_description"),
  text("event_id", "id"),
  text("event_url", "url"),
  text("date_occurred", "date_occured"),
  text("user_agent"),
  number("risk", "risk_coefficient"),
  list("ips", readEventIp),
];
const PROPERTIES = [
  list("ips", readCidr),
  number("duration_seconds"),
  list("user_identifiers", readIdentifier),
];

const MEMBERS: Readonly<Record<PayloadType, readonly Member[]>> = {
  security_event: [...EVENT, list("application_account_account_keys", readAccountKey)],
  pulse: [
    ...OF_APPLICATION,
    word("pulse_genre"),
    text("pulse_category"),
    text("date_started"),
    text("date_ended"),
    text("humanized_title"),
    text("humanized_accounts"),
    text("humanized_geos"),
    flag("blocked"),
    text("id"),
    text("url"),
    number("incidents_count"),
    number("user_agents_count"),
    number("ip_addresses_count"),
    number("accounts_count"),
  ],
  security_response: [
    text("id"),
    text("date_created"),
    object("application", [text("name"), text("environment"), text("id")]),
    object("playbook", [text("name"), text("id")]),
    object("properties", PROPERTIES),
  ],
  test: [...EVENT, text("id")],
};

const TYPE = "service_payload_type";

/**
 * Converts one payload to the spelling and types of `Payload`.
 *
 * Pure: the given object is never changed, and is itself the result if nothing needs repair, as in
 * nearly all payloads.
 * @param dropped Receives the paths of members with an unusable value, such as `ips[2]`.
 */
export function readPayload(type: PayloadType, raw: RawObject, dropped: string[]): Payload {
  if (type === "security_event" && isCleanEvent(raw)) return raw as unknown as Payload;
  let payload = readMembers(raw, MEMBERS[type], dropped);
  if (type === "security_response" && !payload.properties) {
    payload = { ...payload, properties: readMembers({}, PROPERTIES, dropped) };
  }
  // A service with other spellings stores the type under another name.
  if (payload[TYPE] !== type) payload = { ...payload, [TYPE]: type };
  return payload as unknown as Payload;
}

/** Returns the object itself if nothing has to change, otherwise a repaired copy. */
function readMembers(given: RawObject, members: readonly Member[], dropped: string[]): RawObject {
  let result = given;
  for (let at = 0; at < members.length; at++) {
    const known = members[at]!;
    const { name, type } = known;
    const value = given[name];
    if (type === "string") {
      if (typeof value === "string") {
        if (known.isWord) result = repairWord(result, name, value);
        continue;
      }
    } else if (type === "list") {
      result = readList(result, known, value, dropped);
      continue;
    } else if (type === "object") {
      if (value !== undefined) result = readObject(result, known, value, dropped);
      continue;
    } else if (isOf(type, value)) continue;
    const alias = known.alias === undefined ? undefined : given[known.alias];
    if (value === undefined && alias === undefined) continue;
    result = repaired(result, name, value, isOf(type, alias) ? alias : undefined, dropped);
  }
  return result;
}

function repairWord(object: RawObject, name: string, word: string): RawObject {
  const fixed = isKnownWord(word) ? word : withoutBlanks(word);
  return fixed === word ? object : { ...object, [name]: fixed };
}

function isOf(type: Member["type"], value: unknown): boolean {
  if (type === "number") return Number.isFinite(value);
  return type === "point" ? isPoint(value) : typeof value === type;
}

function readObject(
  parent: RawObject,
  { name, members }: Member,
  given: unknown,
  dropped: string[],
): RawObject {
  if (!isRawObject(given)) return repaired(parent, name, given, undefined, dropped);
  const before = dropped.length;
  const child = readMembers(given, members, dropped);
  if (dropped.length > before) prefix(dropped, before, `${name}.`);
  return child === given ? parent : { ...parent, [name]: child };
}

/** Returns a list without its unusable elements; never absent. */
function readList(
  parent: RawObject,
  { name, readElement }: Member,
  given: unknown,
  dropped: string[],
): RawObject {
  if (!Array.isArray(given)) return repaired(parent, name, given, [], dropped);
  const elements: readonly unknown[] = given;
  let kept: unknown[] | undefined;
  for (let index = 0; index < elements.length; index++) {
    const before = dropped.length;
    const element = readElement(elements[index], dropped);
    if (dropped.length > before) prefix(dropped, before, `${name}[${index}].`);
    if (element === undefined) dropped.push(`${name}[${index}]`);
    if (element !== elements[index]) kept ??= elements.slice(0, index);
    if (element !== undefined) kept?.push(element);
  }
  return kept ? { ...parent, [name]: kept } : parent;
}

/** In the flat spelling, the location is next to the address; `geo` wins if it has more members. */
function readEventIp(given: unknown, dropped: string[]): unknown {
  if (!isRawObject(given) || typeof given.address !== "string") return undefined;
  const ip = readMembers(given, EVENT_IP, dropped);
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
  const flat = readMembers(beside, GEO, []);
  const isComplete = ip.geo && Object.keys(flat).every((name) => Object.hasOwn(geo, name));
  return isComplete ? ip : { ...ip, geo: { ...flat, ...geo } };
}

function readAccountKey(given: unknown): unknown {
  return isAccountKey(given) ? given : undefined;
}

function readCidr(given: unknown): unknown {
  return isRawObject(given) && typeof given.ip_cidr === "string" ? given : undefined;
}

function readIdentifier(given: unknown): unknown {
  return typeof given === "string" || isRawObject(given) ? given : undefined;
}

function prefix(paths: string[], from: number, before: string): void {
  for (let at = from; at < paths.length; at++) paths[at] = before + paths[at];
}

/** Records a member with an unusable value, and replaces it; undefined removes it. */
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
