import { describe, expect, it } from "vitest";
import { createMemoryUses, type SingleUseStore, useUp } from "../../src/challenge/single-use.js";
import { START_MS } from "../support/token-attacks.js";

const tokenOf = (nonce: string, network = "network", leftMs = 1_000) => ({
  nonce,
  network,
  leftMs,
});

describe("useUp", () => {
  it("CHL-03 remembers a token for a minute longer than it is valid", async () => {
    const used: unknown[] = [];
    const store: SingleUseStore = {
      evicts: false,
      use(token) {
        used.push(token);
        return "new";
      },
      solve() {},
    };
    expect(await useUp(store, tokenOf("n", "network", 1_000.5))).toBe("new");
    expect(used).toEqual([
      expect.objectContaining({
        nonce: "n",
        network: "network",
        ttlMs: 61_001,
        maxUnsolved: 200,
        maxTotal: 5_000,
      }),
    ]);
  });

  it.each([undefined, null, true, ["new"], [], "New", {}])(
    "CHL-09 takes the answer %j for a failure",
    async (answer) => {
      const store = { evicts: false, use: () => answer, solve() {} } as unknown as SingleUseStore;
      await expect(useUp(store, tokenOf("n"))).rejects.toBeInstanceOf(TypeError);
    },
  );
});

describe("createMemoryUses", () => {
  it("CHL-09 fails when it is full, and forgets nothing for it", async () => {
    let time = START_MS;
    const store = createMemoryUses({ maxEntries: 2, now: () => time });
    const use = async (name: string) => useUp(store, tokenOf(name, name));
    expect([await use("a"), await use("b")]).toEqual(["new", "new"]);
    await expect(use("c")).rejects.toThrow("too many challenge tokens");
    expect(await use("a")).toBe("used");
    time += 60_999;
    expect(await use("a")).toBe("used");
    time += 1_000;
    expect(await use("c")).toBe("new");
  });

  it("CHL-11 has room for others after 60,000 tokens from all addresses of a /24", async () => {
    const store = createMemoryUses();
    const counts = { new: 0, used: 0, full: 0 };
    for (let n = 0; n < 60_000; n++) {
      counts[await useUp(store, tokenOf(`${n}`, `network ${n % 256}`, 300_000))]++;
    }
    expect(counts).toEqual({ new: 51_200, used: 0, full: 8_800 });
    expect(await useUp(store, tokenOf("a", "another"))).toBe("new");
  });

  it.each([
    [1, 5_000, 200],
    [20, 2_500, 200],
    [500, 180, 150],
    [5_000, 18, 15],
  ])(
    "CHL-11 has room for others after a flood of solved tokens from %i networks",
    async (networks, most, left) => {
      const store = createMemoryUses();
      const counts = { new: 0, used: 0, full: 0 };
      const use = async (nonce: string, network: string) => {
        const answer = await useUp(store, tokenOf(nonce, network, 300_000));
        counts[answer]++;
        return answer;
      };
      for (let round = 0; round <= most; round++) {
        for (let n = 0; n < networks; n++) {
          await use(`${round}`, `network ${n}`);
          await store.solve({ nonce: `${round}`, network: `network ${n}` });
        }
      }
      expect(counts.new).toBeGreaterThanOrEqual(networks * most);
      for (let n = 0; n < left; n++) expect(await use(`${n}`, "another")).toBe("new");
      // Nothing was forgotten.
      expect(await use("0", "network 0")).toBe("used");
    },
  );
});
