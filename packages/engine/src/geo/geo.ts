import { type IpGeo, RiskGateError } from "@riskgate/core";
import type { ParsedIp } from "../identifier/parsed-ip.js";
import { type AutonomousSystem, autonomousSystemOf } from "./autonomous-system.js";
import { type GeoDatabase, openGeoDatabase } from "./geo-database.js";
import { locationOf } from "./geo-record.js";

/** Options for the geo databases; `path` or `asn` is required. */
export interface GeoOptions {
  /** MaxMind DB file (`.mmdb`) of cities or countries; without it every location is unknown. */
  readonly path?: string;
  /**
   * MaxMind DB file of autonomous systems, such as GeoLite2-ASN; default `path`, if its records
   * contain them too, as in enterprise databases and those of IPinfo.
   */
  readonly asn?: string;
  /** Maximum cached locations, and autonomous systems; default 100,000, about 150 bytes each. */
  readonly maxLocations?: number;
}

export const MAX_LOCATIONS = 100_000;

export interface Geo {
  /** Returns an address's location, frozen; `{}` if unknown. Never throws. */
  locate(ip: ParsedIp): IpGeo;
  /** Returns the system that announces an address, frozen; undefined if unknown. Never throws. */
  systemOf(ip: ParsedIp): AutonomousSystem | undefined;
}

const UNKNOWN: IpGeo = Object.freeze({});

/** Cached for an unknown system: a view has an object for every address. */
const NO_SYSTEM: AutonomousSystem = Object.freeze({ number: 0 });

const locateNowhere = (): IpGeo => UNKNOWN;

export const NOWHERE: Geo = { locate: locateNowhere, systemOf: () => undefined };

/**
 * Opens the geo databases.
 * @throws {RiskGateError} CONFIG_INVALID if a file cannot be read, is damaged, or is a different
 * kind of database.
 */
export async function openGeo({
  path,
  asn,
  maxLocations = MAX_LOCATIONS,
}: GeoOptions): Promise<Geo> {
  const places = path === undefined ? undefined : await openOf(path, PLACES);
  const systems = asn === undefined ? undefined : await openOf(asn, SYSTEMS);
  const holder = systems ?? (places?.holds(autonomousSystemOf) ? places : undefined);
  const systemOf = holder?.view(
    (record) => autonomousSystemOf(record) ?? NO_SYSTEM,
    NO_SYSTEM,
    maxLocations,
  );
  return {
    locate:
      places?.view((record) => Object.freeze(locationOf(record)), UNKNOWN, maxLocations) ??
      locateNowhere,
    systemOf(ip) {
      const system = systemOf?.(ip);
      return system === NO_SYSTEM ? undefined : system;
    },
  };
}

/** Required contents of a database, and the hint if they are missing. */
interface Content {
  readonly noun: string;
  readonly hint: string;
  readonly pick: (record: unknown) => object | undefined;
}

const PLACES: Content = {
  noun: "cities or countries",
  hint: "Use a database of cities or countries; one of autonomous systems belongs in `asn`",
  pick(record) {
    const location = locationOf(record);
    return Object.keys(location).length > 0 ? location : undefined;
  },
};

const SYSTEMS: Content = {
  noun: "autonomous systems",
  hint: "Use a database of autonomous systems, such as GeoLite2-ASN",
  pick: autonomousSystemOf,
};

/** Opens a database and checks its records, because publishers' database names are arbitrary. */
async function openOf(path: string, { noun, hint, pick }: Content): Promise<GeoDatabase> {
  const database = await openGeoDatabase(path);
  if (database.holds(pick)) return database;
  const given = `${database.type} with ${database.members.join(", ") || "no records"}`;
  const message = `the geo database ${path} holds no ${noun} that can be read, given ${given}`;
  throw new RiskGateError("CONFIG_INVALID", message, { hint });
}
