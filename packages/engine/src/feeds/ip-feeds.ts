import { setImmediate } from "node:timers/promises";
import {
  type Cidr,
  createIpTable,
  type IpTable,
  type IpTableEntry,
  parseCidr,
} from "@riskgate/core/address";
import type { Feed } from "./feed.js";
import type { FeedKind } from "./feed-options.js";
import type { ParsedIp } from "../identifier/parsed-ip.js";

export const KIND_BITS = { tor: 1, vpn: 2, proxy: 4, datacenter: 8, attacker: 16 } as const;

export interface IpFeeds {
  /** Returns the sum of the {@link KIND_BITS} of feeds that contain the address. */
  kindsOf(ip: ParsedIp): number;
  namesOf(ip: ParsedIp, kind: FeedKind): string[];
  /** Returns for each feed, in order, whether it contains and marks the address. */
  listingsOf(ip: ParsedIp): boolean[];
}

/** A table has one byte of marks per address, enough for eight feeds. */
const FEEDS_PER_TABLE = 8;

/** A compiled feed, without its lines, which would take ten times as much memory. */
interface Label {
  readonly name: string;
  readonly kind: FeedKind;
}

/** Up to eight feeds in one table. */
interface Shelf {
  readonly table: IpTable;
  /** Kind bits for each combination of marks. */
  readonly kinds: Uint8Array;
  readonly labels: readonly Label[];
}

/**
 * Compiles address feeds, discarding their lines.
 *
 * @param isExempt Returns true if no feed may mark an address.
 */
export async function createIpFeeds(
  feeds: readonly Feed[],
  isExempt: (ip: ParsedIp) => boolean = () => false,
): Promise<IpFeeds> {
  const shelves: Shelf[] = [];
  for (let from = 0; from < feeds.length; from += FEEDS_PER_TABLE) {
    shelves.push(await createShelf(feeds.slice(from, from + FEEDS_PER_TABLE)));
  }
  return {
    kindsOf(ip) {
      const { version, words } = ip;
      let kinds = 0;
      for (const shelf of shelves) {
        kinds |= shelf.kinds[shelf.table.marksAt(version, words)]!;
      }
      return kinds === 0 || isExempt(ip) ? 0 : kinds;
    },
    namesOf({ version, words }, kind) {
      return shelves.flatMap(({ table, labels }) => {
        const marks = table.marksAt(version, words);
        return labels
          .filter((label, bit) => label.kind === kind && (marks & (1 << bit)) !== 0)
          .map((label) => label.name);
      });
    },
    listingsOf(ip) {
      const isMarked = !isExempt(ip);
      return shelves.flatMap(({ table, labels }) => {
        const marks = table.marksAt(ip.version, ip.words);
        return labels.map((_, bit) => isMarked && (marks & (1 << bit)) !== 0);
      });
    },
  };
}

async function createShelf(feeds: readonly Feed[]): Promise<Shelf> {
  const table = await createIpTable(networksOf(feeds), undefined, setImmediate);
  const kinds = new Uint8Array(256);
  for (let marks = 0; marks < 256; marks++) {
    for (const [bit, { options }] of feeds.entries()) {
      if (options.kind !== "disposable" && marks & (1 << bit)) {
        kinds[marks]! |= KIND_BITS[options.kind];
      }
    }
  }
  return { table, kinds, labels: feeds.map(({ name, options: { kind } }) => ({ name, kind })) };
}

/** Yields the networks of all feeds, each marked with the bit of its feed. */
function* networksOf(feeds: readonly Feed[]): Generator<IpTableEntry> {
  const words = new Uint32Array(4);
  for (const [bit, feed] of feeds.entries()) {
    for (const entry of feed.entries()) {
      if (parseNetwork(entry, words)) yield [entry, 1 << bit];
      else feed.skip();
    }
  }
}

/**
 * A larger network, such as half of all addresses, is a mistake and would affect too many visitors.
 */
const SHORTEST_PREFIX = { 4: 3, 6: 4 } as const;

/** Parses an entry of a feed of addresses into `words` (see `parseCidr`). */
export function parseNetwork(entry: string, words: Uint32Array): Cidr | undefined {
  const cidr = parseCidr(entry, words);
  return cidr && cidr.length >= SHORTEST_PREFIX[cidr.version] ? cidr : undefined;
}
