import { maskWords, parseCidr } from "../address/cidr.js";
import { destinationOf } from "../address/host-address.js";
import { parseIp } from "../address/ip-address.js";
import { createLru, type Lru } from "../base/platform.js";

/** Blocked networks and keys with their expiry times. */
export class BlockEntries {
  readonly #untilMs: Lru<string, number>;
  readonly #now: () => number;
  readonly #words = new Uint32Array(4);
  /** Prefix lengths in use, nearly always one; an address is checked once for each. */
  readonly #lengths = { 4: new Set<number>(), 6: new Set<number>() };

  constructor(max: number, now: () => number) {
    this.#untilMs = createLru(max);
    this.#now = now;
  }

  get size(): number {
    return this.#untilMs.size;
  }

  block(key: string, untilMs: number): void {
    this.#untilMs.set(key, untilMs);
  }

  unblock(key: string): void {
    this.#untilMs.delete(key);
  }

  has(key: string): boolean {
    const until = this.#untilMs.get(key);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#untilMs.delete(key);
    return false;
  }

  /** Returns the key of an address or a network; undefined for any other text. */
  networkKey(text: string): string | undefined {
    const cidr = parseCidr(destinationOf(text) ?? text, this.#words);
    if (!cidr) return undefined;
    this.#lengths[cidr.version].add(cidr.length);
    return this.#keyOf(cidr.version, cidr.length);
  }

  hasIp(ip: string): boolean {
    const version = parseIp(destinationOf(ip) ?? "", this.#words);
    if (version === 0) return false;
    // Longest first, because each step clears more bits in the same words.
    const used = [...this.#lengths[version]].sort((a, b) => b - a);
    return used.some((length) => {
      maskWords(this.#words, version === 4 ? 1 : 4, length);
      return this.has(this.#keyOf(version, length));
    });
  }

  #keyOf(version: 4 | 6, length: number): string {
    return `${length}/${version === 4 ? this.#words[0] : this.#words.join(".")}`;
  }
}
