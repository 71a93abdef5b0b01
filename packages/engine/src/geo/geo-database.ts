import { readFile } from "node:fs/promises";
import { RiskGateError } from "@riskgate/core";
import type { Reader, Response } from "maxmind";
import { compileRanges, type GeoRanges } from "./geo-ranges.js";
import { GeoTree } from "./geo-tree.js";
import type { ParsedIp } from "../identifier/parsed-ip.js";
import { PlaceNumbers } from "./place-numbers.js";

export interface GeoDatabase {
  /** Database type from its metadata, such as `GeoLite2-City`. */
  readonly type: string;
  /** Names of top-level members in a sample of its records. */
  readonly members: readonly string[];
  /** Returns true if `pick` finds data in a sample of records. */
  holds(pick: (record: unknown) => object | undefined): boolean;
  /**
   * Creates a lookup function that never throws: a damaged record counts as missing.
   *
   * @param pick Extracts data from a record; the result is cached.
   * @param missing For addresses without a record.
   * @param maxKept Maximum number of cached results.
   */
  view<T extends object>(
    pick: (record: unknown) => T,
    missing: T,
    maxKept: number,
  ): (ip: ParsedIp) => T;
}

/**
 * Opens a MaxMind DB file.
 * @throws {RiskGateError} CONFIG_INVALID if it cannot be read or is damaged.
 */
export async function openGeoDatabase(path: string): Promise<GeoDatabase> {
  // Loaded only if there is a database.
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
  probe(reader, path);
  const samples = sampleOf(reader, tree);

  return {
    type: reader.metadata.databaseType,
    members: [...new Set(samples.flatMap((record) => Object.keys(record ?? {})))],
    holds: (pick) => samples.some((record) => pick(record) !== undefined),
    view(pick, missing, maxKept) {
      const kept = Array.from<typeof missing | undefined>({ length: places.size });
      let count = 0;
      return (ip) => {
        const number =
          ip.version === 4 ? ranges.numberAt(ip.words[0]!) : places.of(tree.placeOf(ip));
        if (number === 0) return missing;
        let result = kept[number];
        if (result === undefined) {
          result = read(ip.text, pick) ?? missing;
          if (count++ >= maxKept) {
            kept.fill(undefined);
            count = 1;
          }
          kept[number] = result;
        }
        return result;
      };
    },
  };

  function read<T>(ip: string, pick: (record: unknown) => T): T | undefined {
    try {
      return pick(reader.get(ip));
    } catch {
      // A damaged record, including a cycle, counts as missing.
      return undefined;
    }
  }
}

const MAX_SAMPLES = 1_000;

function sampleOf(reader: Reader<Response>, tree: GeoTree): (Response | null)[] {
  const records: (Response | null)[] = [];
  for (const ip of tree.samples(MAX_SAMPLES)) {
    try {
      records.push(reader.get(ip));
    } catch {
      // As in a lookup, a damaged record counts as missing.
    }
  }
  return records;
}

const DOWNLOAD_AGAIN = "Download the file again, as .mmdb and unpacked";

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

/** Reads samples, to find most damage before the first visitor. */
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
 * Decoded parts of records by file position, so that parts shared on several levels are decoded
 * only once.
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
