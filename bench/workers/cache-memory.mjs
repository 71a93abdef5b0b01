import { addressOf, cacheMakers, clientFor, emailOf, textOf } from "./caches.mjs";

/**
 * Bytes that an entry takes, key and assessment included, when a cache of IP addresses and a cache
 * of email addresses are full: a client has one of each.
 *
 * @param {string} name
 * @param {number} entries In both together.
 */
export default async function bytesOfEntry(name, entries) {
  // What is compiled and loaded on first use is not the entries'.
  await fill(name, 2000);
  const before = await settledBytes();
  const holder = await fill(name, entries / 2);
  const bytes = ((await settledBytes()) - before) / entries;
  if (!holder(1)) throw new Error(`${name} does not hold what was put in`);
  return { bytes };
}

/** @param {string} name @param {number} entries @returns {Promise<(n: number) => boolean>} */
async function fill(name, entries) {
  if (name === "riskgate") {
    const client = clientFor(entries);
    for (let n = 0; n < entries; n++) {
      await client.lookupIp(addressOf(n));
      await client.lookupEmail(emailOf(n));
    }
    return (n) => Boolean(client.peekIp(addressOf(n)) && client.peekEmail(emailOf(n)));
  }
  const make = cacheMakers[/** @type {keyof typeof cacheMakers} */ (name)];
  const ips = make(entries);
  const emails = make(entries);
  for (let n = 0; n < entries; n++) {
    const byIp = JSON.parse(textOf(addressOf(n)));
    ips.set(byIp.ip, Object.freeze(byIp));
    const byEmail = JSON.parse(textOf(emailOf(n)));
    emails.set(byEmail.email, Object.freeze(byEmail));
  }
  return (n) => Boolean(ips.get(addressOf(n)) && emails.get(emailOf(n)));
}

/** Heap and what lies beside it, when all that can go is gone. */
async function settledBytes() {
  for (let turn = 0; turn < 10; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
