import type { Cidr } from "@riskgate/core/address";

/** From the first to the one behind the last. */
type Range = readonly [from: bigint, to: bigint];

/** Networks as ranges of IPv4 addresses and of IPv6 networks of /64. */
export class NetworkRanges {
  #addresses: Range[] = [];
  #sites: Range[] = [];

  /** @param words First address of the network (see `parseCidr`). */
  add({ version, length }: Cidr, words: Uint32Array): void {
    if (version === 4) this.#addresses.push(rangeFrom(BigInt(words[0]!), 32 - length));
    else {
      const site = (BigInt(words[0]!) << 32n) | BigInt(words[1]!);
      this.#sites.push(rangeFrom(site, Math.max(0, 64 - length)));
    }
  }

  addAll(other: NetworkRanges): void {
    this.#addresses = [...this.#addresses, ...other.#addresses];
    this.#sites = [...this.#sites, ...other.#sites];
  }

  /** Join what overlaps; until then, it is counted more than once. */
  merge(): void {
    this.#addresses = merged(this.#addresses);
    this.#sites = merged(this.#sites);
  }

  get addresses(): number {
    return sizeOf(this.#addresses);
  }

  get sites(): number {
    return sizeOf(this.#sites);
  }
}

function rangeFrom(from: bigint, bits: number): Range {
  return [from, from + (1n << BigInt(bits))];
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const last = result.at(-1);
    if (last === undefined || range[0] > last[1]) result.push(range);
    else if (range[1] > last[1]) result[result.length - 1] = [last[0], range[1]];
  }
  return result;
}

function sizeOf(ranges: readonly Range[]): number {
  return Number(ranges.reduce((sum, [from, to]) => sum + to - from, 0n));
}
