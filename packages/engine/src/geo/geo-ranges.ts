import { setImmediate } from "node:timers/promises";
import type { GeoTree } from "./geo-tree.js";
import type { PlaceNumbers } from "./place-numbers.js";

const STRIDE = 32_768;

/** Pending nodes: at most one half of each network on the path, and the whole space. */
const MAX_PENDING = 33;

/**
 * The IPv4 part of a search tree as sorted ranges of addresses: a search in adjacent numbers is
 * faster than following nodes.
 */
export class GeoRanges {
  readonly #starts: Uint32Array;
  readonly #numbers: Uint32Array;
  /** For each upper half of an address, the number of ranges that start before it. */
  readonly #index = new Uint32Array(0x10001);

  constructor(starts: Uint32Array, numbers: Uint32Array) {
    this.#starts = starts;
    this.#numbers = numbers;
    let range = 0;
    for (let upper = 0; upper <= 0x10000; upper++) {
      while (range < starts.length && starts[range]! < upper * 0x10000) range++;
      this.#index[upper] = range;
    }
  }

  numberAt(address: number): number {
    const starts = this.#starts;
    const upper = address >>> 16;
    let low = this.#index[upper]!;
    let high = this.#index[upper + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    // The first range starts with the first address.
    return this.#numbers[low - 1]!;
  }
}

/**
 * Compiles a tree's ranges in steps, between which other work can run.
 * @throws {RangeError} if the tree contains a cycle.
 */
export async function compileRanges(tree: GeoTree, places: PlaceNumbers): Promise<GeoRanges> {
  const collector = new RangeCollector(tree, places);
  while (collector.collectSome()) await setImmediate();
  return collector.finish();
}

class RangeCollector {
  readonly #tree: GeoTree;
  readonly #places: PlaceNumbers;
  readonly #starts: Uint32Array;
  readonly #numbers: Uint32Array;
  #size = 0;
  /** A tree has one leaf more than inner nodes. */
  #leavesLeft: number;
  /** Nodes to visit with their start and depth; the one with the lowest addresses is last. */
  readonly #nodes = new Float64Array(MAX_PENDING);
  readonly #firsts = new Uint32Array(MAX_PENDING);
  readonly #depths = new Uint8Array(MAX_PENDING);
  #pending = 1;

  constructor(tree: GeoTree, places: PlaceNumbers) {
    this.#tree = tree;
    this.#places = places;
    this.#leavesLeft = tree.nodeCount + 1;
    this.#starts = new Uint32Array(this.#leavesLeft);
    this.#numbers = new Uint32Array(this.#leavesLeft);
    this.#nodes[0] = tree.start4;
  }

  /** Collects the next ranges; returns false at the end. */
  collectSome(): boolean {
    for (let count = 0; count < STRIDE; count++) {
      if (this.#pending === 0) return false;
      this.#collectNext();
    }
    return true;
  }

  finish(): GeoRanges {
    return new GeoRanges(this.#starts.slice(0, this.#size), this.#numbers.slice(0, this.#size));
  }

  #collectNext(): void {
    const tree = this.#tree;
    const top = --this.#pending;
    const first = this.#firsts[top]!;
    let depth = this.#depths[top]!;
    let node = this.#nodes[top]!;
    while (node < tree.nodeCount && depth < 32) {
      const at = this.#pending++;
      depth++;
      this.#nodes[at] = tree.record(node, 1);
      this.#firsts[at] = first + 2 ** (32 - depth);
      this.#depths[at] = depth;
      node = tree.record(node, 0);
    }
    if (this.#leavesLeft-- === 0) throw new RangeError("the search tree leads back into itself");
    const number = this.#places.of(tree.placeAt(node));
    if (this.#size > 0 && this.#numbers[this.#size - 1] === number) return;
    this.#starts[this.#size] = first;
    this.#numbers[this.#size++] = number;
  }
}
