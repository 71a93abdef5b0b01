import { parseCidr } from "../../packages/core/src/address.js";

/** A record of a database, as far as tests need them. */
export type GeoValue = string | number | { readonly [name: string]: GeoValue };

/**
 * Write a MaxMind DB with one record a network, the larger networks first. Numbers are unsigned
 * whole ones.
 */
export function geoFile(
  databaseType: string,
  networks: Readonly<Record<string, GeoValue>>,
  recordSize: 24 | 32 = 24,
): Buffer {
  const nodes: [Side, Side][] = [[EMPTY, EMPTY]];
  const data: Buffer[] = [];
  const words = new Uint32Array(4);
  let dataBytes = 0;
  /** Networks with the same record share it. */
  const placeOf = new Map<string, number>();
  for (const [network, value] of Object.entries(networks)) {
    const text = JSON.stringify(value);
    const place = placeOf.get(text) ?? dataBytes;
    if (!placeOf.has(text)) {
      const encoded = encode(value);
      placeOf.set(text, place);
      data.push(encoded);
      dataBytes += encoded.length;
    }
    const { version, length } = parseCidr(network, words)!;
    // An IPv4 network lies below 96 zeros.
    const bits = [...words].slice(0, version === 4 ? 1 : 4).map((word) => bitsOf(word));
    const path = `${"0".repeat(version === 4 ? 96 : 0)}${bits.join("")}`;
    const depth = version === 4 ? 96 + length : length;
    insert(nodes, path.slice(0, depth), { data: place });
  }
  const count = nodes.length;
  const bytes = recordSize / 8;
  const tree = Buffer.alloc(count * 2 * bytes);
  for (const [node, sides] of nodes.entries()) {
    for (const [side, to] of sides.entries()) {
      const record = to === EMPTY ? count : "node" in to ? to.node : count + 16 + to.data;
      tree.writeUIntBE(record, (node * 2 + side) * bytes, bytes);
    }
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: databaseType,
    ip_version: 6,
    node_count: count,
    record_size: recordSize,
  });
  const marker = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

/** Where a bit leads. */
type Side = { readonly node: number } | { readonly data: number };

const EMPTY: Side = { node: -1 };

function insert(nodes: [Side, Side][], path: string, to: Side): void {
  let node = 0;
  for (const [depth, bit] of Array.from(path).entries()) {
    const side = bit === "1" ? 1 : 0;
    if (depth === path.length - 1) {
      nodes.at(node)![side] = to;
      return;
    }
    const next = nodes.at(node)![side];
    if (next !== EMPTY && "node" in next) node = next.node;
    else {
      // A network inside a larger one: both halves keep what the larger one has.
      const above = next;
      const made = nodes.push([above, above]) - 1;
      nodes.at(node)![side] = { node: made };
      node = made;
    }
  }
}

function bitsOf(word: number): string {
  return word.toString(2).padStart(32, "0");
}

function encode(value: GeoValue): Buffer {
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([control(2, text.length), text]);
  }
  if (typeof value === "number") {
    const digits = Buffer.alloc(4);
    digits.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), digits]);
  }
  const members = Object.entries(value).flatMap(([name, member]) => [encode(name), encode(member)]);
  return Buffer.concat([control(7, members.length / 2), ...members]);
}

function control(type: number, size: number): Buffer {
  return size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]);
}
