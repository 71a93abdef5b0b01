import { isDegrees } from "./delivered-form.js";
import type { Payload } from "./payload.js";
import { isRawObject, type RawObject } from "./raw-object.js";
import type { PayloadType } from "./vocabulary.js";

/** A payload in the one spelling, with the paths of what had to be left out. */
export interface Normalized {
  readonly payload: Payload;
  /** Members that were present with an unusable value, such as `ips[2]` or `event_id`. */
  readonly dropped: readonly string[];
}

/**
 * Bring one payload into the spelling and the types of `Payload`, member by member from tables that
 * name them all.
 *
 * Pure: the given object is never changed, and is itself the result when nothing needs repair.
 */
export function repairPayload(type: PayloadType, raw: RawObject): Normalized {
  const dropped: string[] = [];
  const normal = normalizeObject(raw, MEMBERS[type], "", dropped);
  // A service with other spellings keeps the type under another name.
  const payload = normal[TYPE] === type ? normal : { ...normal, [TYPE]: type };
  return { payload: payload as unknown as Payload, dropped };
}

const TYPE = "service_payload_type";

/** Read one value; undefined means that it is absent or unusable. */
type Read = (value: unknown, path: string, dropped: string[]) => unknown;

interface Member {
  readonly name: string;
  readonly read: Read;
  /** Other spellings, tried in order where the first gives nothing. */
  readonly aliases?: readonly string[];
  /** Completes what was read, perhaps nothing, from the rest of the object. */
  readonly complete?: (value: unknown, raw: RawObject) => unknown;
}

function normalizeObject(
  raw: RawObject,
  members: readonly Member[],
  path: string,
  dropped: string[],
): RawObject {
  let result: Record<string, unknown> | undefined;
  for (const { name, read, aliases, complete } of members) {
    const given = raw[name];
    let value = read(given, path + name, dropped);
    if (value === undefined) {
      if (given !== undefined && given !== null) dropped.push(path + name);
      for (const alias of aliases ?? []) value ??= read(raw[alias], path + alias, dropped);
    }
    if (complete) value = complete(value, raw);
    if (value === given) continue;
    result ??= { ...raw };
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result ?? raw;
}

const text: Read = (value) => (typeof value === "string" ? value : undefined);
const flag: Read = (value) => (typeof value === "boolean" ? value : undefined);
const number: Read = (value) => (Number.isFinite(value) ? value : undefined);
/** Blanks inside a kind are a known fault of some senders: no kind has any. */
const word: Read = (value) =>
  typeof value === "string" ? (/\s/.test(value) ? value.replace(/\s+/g, "") : value) : undefined;

/** Longitude and latitude in degrees. */
const point: Read = (value) => {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  return isDegrees(value[0], 180) && isDegrees(value[1], 90) ? value : undefined;
};

const object =
  (members: readonly Member[]): Read =>
  (value, path, dropped) =>
    isRawObject(value) ? normalizeObject(value, members, `${path}.`, dropped) : undefined;

/** A list without its unusable elements; never absent. */
const list =
  (read: Read): Read =>
  (value, path, dropped) => {
    if (!Array.isArray(value)) return undefined;
    const elements: readonly unknown[] = value;
    let changed = false;
    const result: unknown[] = [];
    for (const [index, element] of elements.entries()) {
      const kept = read(element, `${path}[${index}]`, dropped);
      if (kept === undefined) dropped.push(`${path}[${index}]`);
      else result.push(kept);
      changed ||= kept !== element;
    }
    return changed ? result : elements;
  };

/** An object that means nothing without the text member `key`. */
const keyed =
  (key: string, members: readonly Member[]): Read =>
  (value, path, dropped) =>
    isRawObject(value) && typeof value[key] === "string"
      ? normalizeObject(value, members, `${path}.`, dropped)
      : undefined;

function members(reads: Readonly<Record<string, Read>>): Member[] {
  return Object.entries(reads).map(([name, read]) => ({ name, read }));
}

const APPLICATION = members({ application_id: text, application_name: text, environment: text });

const GEO = members({ city: text, code: text, point });

/** In the flat spelling the location stands beside the address; `geo` wins where it says more. */
const withFlatGeo = (geo: unknown, raw: RawObject): unknown => {
  const { country_code: code, city, geo_longitude: longitude, geo_latitude: latitude } = raw;
  if ((code ?? city ?? longitude) === undefined) return geo ?? {};
  const nested = (geo ?? {}) as RawObject;
  const beside = {
    ...(code !== undefined && { code }),
    ...(city !== undefined && { city }),
    point: [longitude, latitude],
  };
  const flat = normalizeObject(beside, GEO, "", []);
  const isAllSaid = Object.keys(flat).every((name) => Object.hasOwn(nested, name));
  return isAllSaid ? nested : { ...flat, ...nested };
};

const IP: Member[] = [
  ...members({ address: text, date_resolved: text, is_tor: flag }),
  { name: "geo", read: object(GEO), complete: withFlatGeo },
];

const orNone = (value: unknown): unknown => value ?? [];

const EVENT: Member[] = [
  ...APPLICATION,
  ...members({ event_kind: word, event_category: word, humanized_description: text }),
  { name: "event_id", read: text, aliases: ["id"] },
  { name: "event_url", read: text, aliases: ["url"] },
  { name: "date_occurred", read: text, aliases: ["date_occured"] },
  { name: "risk", read: number, aliases: ["risk_coefficient"] },
  { name: "ips", read: list(keyed("address", IP)), complete: orNone },
];

const accountKey: Read = (value) =>
  isRawObject(value) && typeof value.name === "string" && typeof value.value === "string"
    ? value
    : undefined;

const identifier: Read = (value) =>
  typeof value === "string" || isRawObject(value) ? value : undefined;

const PROPERTIES: Member[] = [
  {
    name: "ips",
    read: list(keyed("ip_cidr", members({ ip_cidr: text }))),
    complete: orNone,
  },
  { name: "user_identifiers", read: list(identifier), complete: orNone },
];

const MEMBERS: Readonly<Record<PayloadType, readonly Member[]>> = {
  security_event: [
    ...EVENT,
    {
      name: "application_account_account_keys",
      read: list(accountKey),
      complete: orNone,
    },
  ],
  test: [...EVENT, ...members({ id: text })],
  pulse: [
    ...APPLICATION,
    ...members({
      pulse_genre: word,
      pulse_category: text,
      date_started: text,
      date_ended: text,
      humanized_title: text,
      humanized_accounts: text,
      humanized_geos: text,
      blocked: flag,
      id: text,
      url: text,
      incidents_count: number,
      user_agents_count: number,
      ip_addresses_count: number,
      accounts_count: number,
    }),
  ],
  security_response: [
    ...members({
      id: text,
      date_created: text,
      application: object(members({ name: text, environment: text, id: text })),
      playbook: object(members({ name: text, id: text })),
    }),
    {
      name: "properties",
      read: object(PROPERTIES),
      complete: (value) => value ?? { ips: [], user_identifiers: [] },
    },
  ],
};
