import { readFile } from "node:fs/promises";
import { type IpGeo, RiskGateError } from "@riskgate/core";
import type { Reader, Response } from "maxmind";
import { compileRanges, type GeoRanges } from "./geo-ranges.js";
import { locationOf } from "./geo-record.js";
import { GeoTree } from "./geo-tree.js";
import type { ParsedIp } from "../identifier/parsed-ip.js";
import { PlaceNumbers } from "./place-numbers.js";

/** Options of the geo database. */
export interface GeoOptions {
  /** MaxMind DB file (`.mmdb`) of cities or countries. */
  readonly path: string;
  /** Locations kept in memory; default 100,000, about 150 bytes each. */
  readonly maxLocations?: number;
}

/** Locations kept in memory unless the options say otherwise. */
export const MAX_LOCATIONS = 100_000;

/** Reports where an address is. */
export interface Geo {
  /** Location of an address, frozen; `{}` where it is not known. Never throws. */
  locate(ip: ParsedIp): IpGeo;
}

const UNKNOWN: IpGeo = Object.freeze({});

/** Where every address is unknown: the geo database of an engine that has none. */
export const NOWHERE: Geo = { locate: () => UNKNOWN };

/**
 * Open a geo database.
 *
 * @throws {RiskGateError} CONFIG_INVALID when the file cannot be read, is damaged, or is a database
 *   without locations.
 */
export async function openGeo({ path, maxLocations = MAX_LOCATIONS }: GeoOptions): Promise<Geo> {
  // Loaded only where there is a database.
  const { Reader } = await import("maxmind");
  let reader: Reader<Response>;
  let tree: GeoTree;
  let ranges: GeoRanges;
  const places = new PlaceNumbers();
  try {
    const bytes = await readFile(path);
    reader = new Reader(bytes, { cache: createRecordCache() });
    tree = new GeoTree(bytes, reader.metadata);
    ranges = await compileRanges(tree, places);
  } catch (cause) {
    throw unusable(path, cause);
  }
  const { databaseType } = reader.metadata;
  if (!/city|country|enterprise/i.test(databaseType)) {
    const message = `the geo database ${path} must be of cities or countries, given ${databaseType}`;
    throw new RiskGateError("CONFIG_INVALID", message, {
      hint: "Download the database of cities or countries instead of this one",
    });
  }
  probe(reader, path);

  const locations = Array.from<IpGeo | undefined>({ length: places.size });
  let kept = 0;
  return {
    locate(ip) {
      const number = ip.version === 4 ? ranges.numberAt(ip.words[0]!) : places.of(tree.placeOf(ip));
      if (number === 0) return UNKNOWN;
      let location = locations[number];
      if (location === undefined) {
        location = Object.freeze(read(reader, ip.text));
        if (kept++ >= maxLocations) {
          locations.fill(undefined);
          kept = 1;
        }
        locations[number] = location;
      }
      return location;
    },
  };
}

const DOWNLOAD_AGAIN = "Download the file again, as .mmdb and unpacked";

/** Why a file is not a database, and what to do about it. */
function unusable(path: string, cause: unknown): RiskGateError {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT") {
    return new RiskGateError("CONFIG_INVALID", `the geo database ${path} is missing`, {
      cause,
      hint: "Check the path, or leave the geo database out",
    });
  }
  const isUnread = syscall !== undefined;
  const message = isUnread
    ? `the geo database ${path} cannot be read: ${code}`
    : `the geo database ${path} is damaged, or not a MaxMind DB file`;
  const hint = isUnread ? "Check the path and the permissions of the file" : DOWNLOAD_AGAIN;
  return new RiskGateError("CONFIG_INVALID", message, { cause, hint });
}

function read(reader: Reader<Response>, ip: string): IpGeo {
  try {
    return locationOf(reader.get(ip));
  } catch {
    // A damaged record, a cycle included, counts as missing.
    return UNKNOWN;
  }
}

/** Read here and there, so that most damage is seen before the first visitor. */
function probe(reader: Reader<Response>, path: string): void {
  const { binaryFormatMajorVersion, ipVersion } = reader.metadata;
  try {
    if (binaryFormatMajorVersion !== 2 || (ipVersion !== 4 && ipVersion !== 6)) {
      throw new RangeError("unknown version of the format");
    }
    for (let byte = 1; byte < 224; byte++) {
      reader.get(`${byte}.${byte ^ 0x55}.0.1`);
      if (ipVersion === 6) reader.get(`2${byte.toString(16).padStart(3, "0")}::1`);
    }
  } catch (cause) {
    throw new RiskGateError("CONFIG_INVALID", `the geo database ${path} is damaged`, {
      cause,
      hint: DOWNLOAD_AGAIN,
    });
  }
}

const MAX_CACHED_PARTS = 1000;

/**
 * Decoded parts of records by their place in the file, so that records which share parts, many
 * levels deep, are not decoded once for each way to get there.
 */
function createRecordCache(): {
  get(key: string | number): unknown;
  set(key: string | number, value: unknown): void;
} {
  const parts = new Map<string | number, unknown>();
  return {
    get: (key) => parts.get(key),
    set(key, value) {
      if (parts.size >= MAX_CACHED_PARTS) parts.clear();
      parts.set(key, value);
    },
  };
}
