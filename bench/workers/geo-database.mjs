/**
 * Creates geo databases in the MaxMind DB format, in the shape of the large licensed ones: records of
 * 28 bits, an IPv6 tree that contains the IPv4 addresses, many networks per place.
 */

import { createRandom } from "./random.mjs";

const LANGUAGES = ["de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-CN"];

const COUNTRIES = ["DE", "FR", "GB", "US", "BR", "JP", "IN", "ZA", "AU", "CA", "PL", "IT", "NL"];

/**
 * @param {{ networks?: number, places?: number, seed?: number }} [options] Number of IPv4 networks,
 *   plus a fifth of it in IPv6, and of distinct records.
 * @returns {Buffer} The file.
 */
export function geoDatabase({ networks = 1_000_000, places = 60_000, seed = 1 } = {}) {
  const random = createRandom(seed);
  const { data, offsets } = records(places, random);
  const networks6 = Math.ceil(networks / 5);
  // A binary tree has one node fewer than leaves; the path to the IPv4 part adds 96.
  const nodeCount = networks - 1 + (networks6 - 1) + 96;
  const nodes = new Uint32Array(2 * nodeCount).fill(nodeCount);
  let used = 0;
  const leaf = () => nodeCount + 16 + offsets[Math.floor(random() * places)];
  /** Splits a network with `bits` more bits into leaves, and returns the number of its node. */
  const grow = (leaves, bits) => {
    if (leaves === 1) return leaf();
    const node = used++;
    const most = 2 ** (bits - 1);
    const share = Math.round(leaves * (0.25 + random() / 2));
    const left = Math.min(most, leaves - 1, Math.max(1, leaves - most, share));
    nodes[2 * node] = grow(left, bits - 1);
    nodes[2 * node + 1] = grow(leaves - left, bits - 1);
    return node;
  };
  used = 96;
  // IPv4 is below 96 zeros, and IPv6 below 001.
  for (let node = 0; node < 96; node++) nodes[2 * node] = node + 1;
  nodes[2 * 95] = grow(networks, 32);
  nodes[2 * 2 + 1] = grow(networks6, 45);

  return Buffer.concat([treeBytes(nodes), Buffer.alloc(16), data, metadata(nodeCount)]);
}

/** Encodes nodes of two 28-bit records: three bytes each, and the upper bits in a byte between them. */
function treeBytes(nodes) {
  const bytes = Buffer.alloc((nodes.length / 2) * 7);
  for (let node = 0; node < nodes.length / 2; node++) {
    const at = node * 7;
    const [left, right] = [nodes[2 * node], nodes[2 * node + 1]];
    bytes.writeUIntBE(left & 0xffffff, at, 3);
    bytes[at + 3] = ((left >>> 24) << 4) | (right >>> 24);
    bytes.writeUIntBE(right & 0xffffff, at + 4, 3);
  }
  return bytes;
}

/** Encodes records of places. Country names are stored once, and records point to them. */
function records(places, random) {
  const parts = [];
  let size = 0;
  const add = (bytes) => {
    parts.push(bytes);
    size += bytes.length;
    return size - bytes.length;
  };
  const countries = COUNTRIES.map((code) =>
    add(map({ iso_code: text(code), names: namesOf(`Country of ${code}`) })),
  );
  const offsets = Array.from({ length: places }, (_, place) =>
    add(
      map({
        city: map({ names: namesOf(`City ${place}`) }),
        country: pointer(countries[place % countries.length]),
        location: map({
          accuracy_radius: number(5, 2, 1 + (place % 1000)),
          latitude: double(Math.round((random() * 180 - 90) * 1e4) / 1e4),
          longitude: double(Math.round((random() * 360 - 180) * 1e4) / 1e4),
          time_zone: text("Europe/Berlin"),
        }),
      }),
    ),
  );
  return { data: Buffer.concat(parts), offsets };
}

function namesOf(name) {
  return map(Object.fromEntries(LANGUAGES.map((language) => [language, text(name)])));
}

function metadata(nodeCount) {
  return Buffer.concat([
    Buffer.from("abcdef", "hex"),
    Buffer.from("MaxMind.com"),
    map({
      binary_format_major_version: number(5, 2, 2),
      binary_format_minor_version: number(5, 2, 0),
      build_epoch: number(6, 4, 1_700_000_000),
      database_type: text("Bench-City"),
      description: map({ en: text("Places that are made up") }),
      ip_version: number(5, 2, 6),
      node_count: number(6, 4, nodeCount),
      record_size: number(5, 2, 28),
    }),
  ]);
}

/** Encodes a field of type 1 to 7 with less than 285 bytes. */
function field(type, size, ...content) {
  const head = size < 29 ? [(type << 5) | size] : [(type << 5) | 29, size - 29];
  return Buffer.concat([Buffer.from(head), ...content]);
}

function text(value) {
  const bytes = Buffer.from(value);
  return field(2, bytes.length, bytes);
}

function double(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return field(3, 8, bytes);
}

function number(type, size, value) {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return field(type, size, bytes);
}

function map(members) {
  const entries = Object.entries(members);
  return field(7, entries.length, ...entries.flatMap(([name, value]) => [text(name), value]));
}

/** Encodes a pointer of four bytes. */
function pointer(offset) {
  const bytes = Buffer.alloc(5);
  bytes[0] = (1 << 5) | (3 << 3);
  bytes.writeUInt32BE(offset, 1);
  return bytes;
}
