import type { BlockList } from "../../src/lists/block-list.js";
import type { RiskLookup } from "../../src/model/lookup.js";

/** A lookup with nothing in memory that answers 10 to everything, and the names of its calls. */
export function countingLookup(): { lookup: RiskLookup; calls: string[] } {
  const calls: string[] = [];
  const lookup: RiskLookup = {
    peekIp: () => void calls.push("peekIp"),
    peekEmail: () => void calls.push("peekEmail"),
    lookupIp: async () => ({ risk_score: calls.push("lookupIp") && 10 }),
    lookupEmail: async () => ({ risk_score: calls.push("lookupEmail") && 10 }),
  };
  return { lookup, calls };
}

/** A block list on which nothing is, that notes its calls among those of a lookup. */
export function countingLists(calls: string[]): BlockList {
  const note = (name: string): boolean => calls.push(name) === 0;
  return {
    blocksIp: () => note("blocksIp"),
    blocksEmail: () => note("blocksEmail"),
  } as unknown as BlockList;
}
