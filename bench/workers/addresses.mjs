/**
 * Addresses and networks to measure with. The texts are flat, as those from a socket are, and not
 * put together from parts, which would be joined by whoever reads them first.
 */

/** @param {string} text */
const flat = (text) => Buffer.from(text).toString("latin1");

/** @param {number} word */
const dotted = (word) =>
  [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join(".");

/** @typedef {() => number} Random */

/** A word whose first byte is that of a public address. @param {Random} random */
function publicWord(random) {
  const first = 1 + Math.floor(random() * 222);
  const byte = first === 10 || first === 127 ? 11 : first;
  return ((byte << 24) | Math.floor(random() * 2 ** 24)) >>> 0;
}

/** @param {number} count @param {Random} random */
export const ipv4Addresses = (count, random) =>
  Array.from({ length: count }, () => flat(dotted(publicWord(random))));

/** Half of them in full length, and half shortened. @param {number} count @param {Random} random */
export function ipv6Addresses(count, random) {
  const group = () => Math.floor(random() * 0x10000).toString(16);
  return Array.from({ length: count }, (_, index) => {
    const head = `2${index % 2 === 0 ? "a0" : "60"}${index % 10}:${group()}:${group()}`;
    const tail = `${group()}:${group()}:${group()}:${group()}:${group()}`;
    return flat(index % 2 === 0 ? `${head}:${tail}` : `${head}::${group()}`);
  });
}

/**
 * Networks of /22 to /32, so small that a million of them leave most of the space between them.
 *
 * @param {number} count @param {Random} random
 */
export function ipv4Networks(count, random) {
  return Array.from({ length: count }, () => {
    const length = random() < 0.8 ? 22 + Math.floor(random() * 3) : 24 + Math.floor(random() * 9);
    const word = (publicWord(random) & (-1 << (32 - length))) >>> 0;
    return flat(`${dotted(word)}/${length}`);
  });
}

/** Networks of /32 to /48. @param {number} count @param {Random} random */
export function ipv6Networks(count, random) {
  return Array.from({ length: count }, (_, index) => {
    const second = Math.floor(random() * 0x10000).toString(16);
    const third = Math.floor(random() * 0x10000).toString(16);
    const isLong = random() < 0.5;
    const head = `2${index % 2 === 0 ? "a0" : "60"}${index % 10}:${second}`;
    return flat(isLong ? `${head}:${third}::/48` : `${head}::/32`);
  });
}

/**
 * Addresses of which half are in the networks.
 *
 * @param {readonly string[]} networks @param {number} count @param {Random} random
 */
export function askedAddresses(networks, count, random) {
  const others = ipv4Addresses(count, random);
  return others.map((address, index) => {
    if (index % 2 === 0) return address;
    return (networks[Math.floor(random() * networks.length)] ?? "").replace(/\/.*/, "");
  });
}
