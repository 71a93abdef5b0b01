import { timed } from "../lib/timing.mjs";
import { addressOf, clientFor } from "./caches.mjs";

const ASKED = 10_000;

/** A number without a small factor, to ask all over the cache. */
const STRIDE = 7919;

/**
 * Time of a hit in a full cache, asked all over it.
 *
 * @param {number} entries
 */
export default async function hitAmong(entries) {
  const client = clientFor(entries);
  for (let n = 0; n < entries; n++) await client.lookupIp(addressOf(n));
  const asked = Array.from({ length: ASKED }, (_, n) => addressOf((n * STRIDE) % entries));
  if (asked.some((ip) => !client.peekIp(ip))) throw new Error("the cache has lost an entry");
  const measure = timed((call) => client.peekIp(asked[call % ASKED] ?? ""), { unit: "ns" });
  await measure();
  return measure();
}
