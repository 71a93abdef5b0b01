import { createMemorySeenStore, type SeenStore } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { seenStoreContract, type SeenStoreHarness } from "../../src/store/seen-store-contract.js";

const harness = (name: string, change: (store: SeenStore) => SeenStore): SeenStoreHarness => ({
  name,
  isBounded: true,
  async open(settings) {
    let nowMs = 0;
    const store = createMemorySeenStore({ ...settings, now: () => nowMs });
    return {
      store: change(store),
      advance: async (ms) => void (nowMs += ms),
      close: async () => {},
    };
  },
});

describe("createMemorySeenStore", () => {
  const sound = harness("memory", (store) => store);
  for (const check of seenStoreContract) {
    it(`${check.id} ${check.title}`, async () => {
      await expect(check.run(sound)).resolves.toBeUndefined();
    });
  }
});

/** Stores that break one rule each, with the check that must notice. */
const BROKEN: [flaw: string, id: string, change: (store: SeenStore) => SeenStore][] = [
  [
    "no reservation",
    "SEEN-01",
    (store) => ({ ...store, reserve: (keys) => keys.map(() => "new") }),
  ],
  ["no commitment", "SEEN-02", (store) => ({ ...store, commit: (keys) => store.release(keys) })],
  ["no release", "SEEN-03", (store) => ({ ...store, release: () => {} })],
  [
    "answers out of order",
    "SEEN-04",
    (store) => ({ ...store, reserve: async (keys) => (await store.reserve(keys)).toReversed() }),
  ],
  [
    "a batch of which one counts",
    "SEEN-05",
    (store) => ({ ...store, commit: (keys) => store.commit(keys.slice(0, 1)) }),
  ],
  [
    "a batch that is cut",
    "SEEN-06",
    (store) => ({ ...store, commit: (keys) => store.commit(keys.slice(0, 500)) }),
  ],
  [
    "reservations that are not atomic",
    "SEEN-07",
    (store) => {
      const taken = new Set<string>();
      return {
        ...store,
        async reserve(keys) {
          const known = keys.map((key) => taken.has(key));
          await Promise.resolve();
          for (const key of keys) taken.add(key);
          return known.map((isKnown) => (isKnown ? "busy" : "new"));
        },
      };
    },
  ],
  ["keys that are folded", "SEEN-11", (store) => folded(store, (key) => key.toLowerCase())],
];

function folded(store: SeenStore, fold: (key: string) => string): SeenStore {
  return {
    reserve: (keys) => store.reserve(keys.map(fold)),
    commit: (keys) => store.commit(keys.map(fold)),
    release: (keys) => store.release(keys.map(fold)),
  };
}

/** Stores whose clock is wrong. */
const BROKEN_TIME: [flaw: string, id: string, speed: number][] = [
  ["reservations for ever", "SEEN-08", 0],
  ["commitments for ever", "SEEN-09", 0],
  ["reservations that end early", "SEEN-08", 3],
  ["commitments that end early", "SEEN-09", 3],
];

describe("seenStoreContract", () => {
  const run = async (id: string, broken: SeenStoreHarness) =>
    seenStoreContract.find((check) => check.id === id)?.run(broken);

  it.each(BROKEN)("notices %s", async (_, id, change) => {
    await expect(run(id, harness("broken", change))).rejects.toBeInstanceOf(Error);
  });

  it.each(BROKEN_TIME)("notices %s", async (_, id, speed) => {
    const sound = harness("sound", (store) => store);
    const broken: SeenStoreHarness = {
      ...sound,
      async open(settings) {
        const open = await sound.open(settings);
        return { ...open, advance: async (ms) => open.advance(ms * speed) };
      },
    };
    await expect(run(id, broken)).rejects.toBeInstanceOf(Error);
  });

  it("notices a store without a bound", async () => {
    const sound = harness("unbounded", (store) => store);
    const open: SeenStoreHarness["open"] = async (settings) =>
      sound.open({ ...settings, maxEntries: 10_000 });
    await expect(run("SEEN-12", { ...sound, open })).rejects.toBeInstanceOf(Error);
  });
});
