import type { MemberPath } from "./record-member.js";

/** Paths to the members of a record; a missing path means that the form does not contain it. */
interface RecordForm {
  readonly country?: MemberPath;
  readonly city?: MemberPath;
  readonly latitude?: MemberPath;
  readonly longitude?: MemberPath;
  readonly radius?: MemberPath;
  /** Number of the autonomous system. */
  readonly system?: MemberPath;
  readonly organisation?: MemberPath;
}

/** The forms that publishers write. If a record has a member in two places, the first row applies. */
const FORMS: readonly RecordForm[] = [
  // MaxMind, DB-IP and IP2Location: cities and countries.
  {
    country: ["country", "iso_code"],
    city: ["city", "names", "en"],
    latitude: ["location", "latitude"],
    longitude: ["location", "longitude"],
    radius: ["location", "accuracy_radius"],
    system: ["traits", "autonomous_system_number"],
    organisation: ["traits", "autonomous_system_organization"],
  },
  // The same publishers and ip-location-db: autonomous systems.
  { system: ["autonomous_system_number"], organisation: ["autonomous_system_organization"] },
  // ip-location-db: cities and countries.
  { country: ["country_code"], city: ["city"], latitude: ["latitude"], longitude: ["longitude"] },
  // IPinfo Lite, with the country's name in `country`.
  { country: ["country_code"], system: ["asn"], organisation: ["as_name"] },
  // IPinfo: cities, countries and autonomous systems.
  {
    country: ["country"],
    city: ["city"],
    latitude: ["lat"],
    longitude: ["lng"],
    system: ["asn"],
    organisation: ["name"],
  },
  // IPLocate: countries and autonomous systems.
  { country: ["country_code"], system: ["asn"], organisation: ["org"] },
];

/** Returns the places of a member in all forms. */
export function pathsTo(member: keyof RecordForm): readonly MemberPath[] {
  return FORMS.flatMap(({ [member]: path }) => (path ? [path] : []));
}
