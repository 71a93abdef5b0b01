import { createMemoryVelocityStore, type VelocityStore } from "@riskgate/core/velocity";
import { describe, expect, it } from "vitest";
import {
  velocityStoreContract,
  type VelocityStoreHarness,
} from "../../src/store/velocity-store-contract.js";

const harness = (change: (store: VelocityStore) => VelocityStore): VelocityStoreHarness => ({
  name: "memory",
  windowMs: 60_000,
  async open() {
    let nowMs = 0;
    return {
      store: change(createMemoryVelocityStore({ now: () => nowMs })),
      advance: async (ms) => void (nowMs += ms),
      close: async () => {},
    };
  },
});

describe("createMemoryVelocityStore", () => {
  it.each(velocityStoreContract)("$id $title", async (check) => {
    await expect(check.run(harness((store) => store))).resolves.toBeUndefined();
  });
});

/** Stores that break one rule each, with the check that must notice. */
const BROKEN: [flaw: string, id: string, change: (store: VelocityStore) => VelocityStore][] = [
  ["a reading that counts", "VEL-01", (store) => changed(store, { adds: true })],
  [
    "counts out of order",
    "VEL-02",
    (store) => ({ tally: async (tally) => (await store.tally(tally)).toReversed() }),
  ],
  [
    "what comes once counted twice",
    "VEL-03",
    (store) => ({
      tally: ({ counters, windowMs, adds }) => store.tally({ counters, windowMs, adds }),
    }),
  ],
  [
    "a reading that remembers",
    "VEL-04",
    (store) => ({
      tally(tally) {
        if (!tally.adds) void store.tally({ ...tally, counters: [], adds: true });
        return store.tally(tally);
      },
    }),
  ],
  ["a window without end", "VEL-05", (store) => changed(store, { windowMs: 1e12 })],
  [
    "counts that are read and written in two steps",
    "VEL-06",
    (store) => {
      const counts = new Map<string, number>();
      return {
        async tally({ counters, adds }) {
          const read = counters.map((name) => counts.get(name) ?? 0);
          await store.tally({ counters: [], adds: false, windowMs: 1 });
          const more = adds ? 1 : 0;
          for (const [at, name] of counters.entries()) counts.set(name, (read[at] ?? 0) + more);
          return read.map((count) => count + more);
        },
      };
    },
  ],
  [
    "names that are folded",
    "VEL-07",
    (store) => ({
      tally: ({ counters, ...tally }) =>
        store.tally({ ...tally, counters: counters.map((name) => name.toLowerCase()) }),
    }),
  ],
  [
    "a distinct text that counts each time",
    "VEL-10",
    (store) => changed(store, { distinct: undefined }),
  ],
  [
    "a distinct text that is not taken back",
    "VEL-11",
    (store) => changed(store, { takesBack: false }),
  ],
  [
    "a distinct text that is counted until it is taken back",
    "VEL-12",
    () => {
      const counted = new Map<string, string[]>();
      return {
        tally({ counters, adds, distinct = "", takesBack }) {
          return counters.map((name) => {
            const others = (counted.get(name) ?? []).filter((text) => text !== distinct);
            if (adds) counted.set(name, [...others, distinct]);
            if (takesBack) counted.set(name, others);
            return counted.get(name)?.length ?? 0;
          });
        },
      };
    },
  ],
];

function changed(store: VelocityStore, change: object): VelocityStore {
  return { tally: (tally) => store.tally({ ...tally, ...change }) };
}

describe("velocityStoreContract", () => {
  it.each(BROKEN)("notices %s", async (_, id, change) => {
    const check = velocityStoreContract.find((one) => one.id === id);
    await expect(check?.run(harness(change))).rejects.toBeInstanceOf(Error);
  });
});
