import { describe, expect, it } from "vitest";
import { attackStoreContract } from "../../../../tools/test/attack-store-contract.js";
import { createMemoryAttackStore } from "../../src/attack/attack-store.js";

describe("createMemoryAttackStore", () => {
  it.each(attackStoreContract)("$id $title", async (check) => {
    const running = check.run({
      async open() {
        const store = createMemoryAttackStore();
        return { store, other: store, close: async () => {} };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });

  it("drops periods that have ended", async () => {
    let nowMs = 0;
    const store = createMemoryAttackStore({ now: () => nowMs });
    const count = async (period: number) =>
      store.count({ name: "login", period, adds: { known: 1 }, reads: [1, 2], ttlMs: 1_000 });
    await count(1);
    nowMs = 500;
    await count(2);
    nowMs = 1_000;
    expect((await count(3)).map(({ known }) => known)).toEqual([0, 1]);
  });
});
