import { describe, expect, it } from "vitest";
import { createMemoryUses, type SingleUseStore } from "../../src/challenge/single-use.js";
import {
  singleUseContract,
  type SingleUseHarness,
} from "../../../../tools/test/single-use-contract.js";

const harness = (change: (store: SingleUseStore) => SingleUseStore): SingleUseHarness => ({
  name: "memory",
  async open() {
    let nowMs = 1;
    const store = change(createMemoryUses({ now: () => nowMs }));
    return {
      store,
      other: store,
      advance: async (ms) => void (nowMs += ms),
      close: async () => {},
    };
  },
});

describe("createMemoryUses", () => {
  it.each(singleUseContract)("$id $title", async (check) => {
    await expect(check.run(harness((store) => store))).resolves.toBeUndefined();
  });
});

/** Stores that break one rule each, with the check that must notice. */
const BROKEN: [flaw: string, id: string, change: (store: SingleUseStore) => SingleUseStore][] = [
  ["a token that is accepted twice", "USE-01", (store) => ({ ...store, use: () => "new" })],
  [
    "a check that is not atomic",
    "USE-02",
    (store) => {
      const known = new Set<string>();
      return {
        ...store,
        async use({ nonce }) {
          const isKnown = known.has(nonce);
          await Promise.resolve();
          known.add(nonce);
          return isKnown ? "used" : "new";
        },
      };
    },
  ],
  ["no limit", "USE-03", (store) => changed(store, { maxUnsolved: Infinity })],
  ["one limit for all networks", "USE-03", (store) => changed(store, { network: "n" })],
  ["no limit of solved tokens", "USE-04", (store) => changed(store, { maxTotal: Infinity })],
  ["tokens for ever", "USE-05", (store) => changed(store, { ttlMs: 1e9 })],
  ["a flood without a limit", "USE-06", (store) => changed(store, { maxUnsolved: Infinity })],
  ["a flood of solved ones too", "USE-07", (store) => changed(store, { maxTotal: Infinity })],
];

function changed(
  store: SingleUseStore,
  change: Partial<Parameters<SingleUseStore["use"]>[0]>,
): SingleUseStore {
  return { ...store, use: (token) => store.use({ ...token, ...change }) };
}

describe("singleUseContract", () => {
  it.each(BROKEN)("notices %s", async (_, id, change) => {
    const broken = singleUseContract.find((check) => check.id === id)?.run(harness(change));
    await expect(broken).rejects.toBeInstanceOf(Error);
  });
});
