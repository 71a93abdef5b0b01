import type { Cidr } from "@riskgate/core/address";

/** From the first address to the one after the last. */
type Range = readonly [from: bigint, to: bigint];

/** One more than the longest prefix length, so that a network fits in one number. */
const LENGTHS = 64;

/** Networks as IPv4 networks and as ranges of IPv6 networks of /64. */
export class NetworkRanges {
  /**
   * First address times {@link LENGTHS} plus prefix length: in sorted order, larger networks are
   * first.
   */
  #networks: number[] = [];
  #sites: Range[] = [];

  /** @param words First address of the network (see `parseCidr`). */
  add({ version, length }: Cidr, words: Uint32Array): void {
    if (version === 4) this.#networks.push(words[0]! * LENGTHS + length);
    else {
      const site = (BigInt(words[0]!) << 32n) | BigInt(words[1]!);
      this.#sites.push(rangeFrom(site, Math.max(0, 64 - length)));
    }
  }

  addAll(other: NetworkRanges): void {
    this.#networks = this.#networks.concat(other.#networks);
    this.#sites = [...this.#sites, ...other.#sites];
  }

  merge(): void {
    this.#networks = outermost(this.#networks);
    this.#sites = merged(this.#sites);
  }

  get addresses(): number {
    return this.#networks.reduce((sum, network) => sum + sizeOfNetwork(network), 0);
  }

  get sites(): number {
    return sizeOf(this.#sites);
  }
}

/** Removes networks inside others; networks are either nested or disjoint. */
function outermost(networks: readonly number[]): number[] {
  let end = 0;
  return Array.from(Float64Array.from(networks).sort()).filter((network) => {
    const first = Math.floor(network / LENGTHS);
    if (first < end) return false;
    end = first + sizeOfNetwork(network);
    return true;
  });
}

function sizeOfNetwork(network: number): number {
  return 2 ** (32 - (network % LENGTHS));
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
